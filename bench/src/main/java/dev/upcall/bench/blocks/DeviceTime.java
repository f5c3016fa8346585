package dev.upcall.bench.blocks;

import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Sample;
import dev.upcall.bench.host.DeviceTraffic;
import java.io.IOException;

/**
 * A replay by the time that its requests took as the kernel has it: for every program from the same
 * place to the same place, without what the program does before and after. What others ask of the
 * device meanwhile is in it.
 */
final class DeviceTime {
  private DeviceTime() {}

  /** Plays a trace. */
  interface Play {
    /** With the program's own time. */
    Sample play() throws IOException, InterruptedException;
  }

  /**
   * A sample by the device's time; its latencies stay the program's. In a folder of no device, as
   * in memory, it is the program's own time, which is said.
   */
  static Sample of(Lab lab, Play play) throws IOException, InterruptedException {
    DeviceTraffic device = DeviceTraffic.below(lab.scratch());
    double before = device.requestSeconds();
    Sample sample = play.play();
    double seconds = device.requestSeconds() - before;
    if (Double.isNaN(seconds)) {
      lab.say("  %s lies on no device that tells its time: the program's counts", lab.scratch());
      return sample;
    }
    return new Sample(sample.units(), seconds, Double.NaN, sample.latencies());
  }
}
