package dev.upcall.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.fsm.FlightRecorder;
import dev.upcall.fsm.meter.StageMeter;
import dev.upcall.fsm.meter.StageTimes;
import dev.upcall.fsm.record.Stage;
import dev.upcall.io.IoClass;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The buffer manager and the disk stamp the requests that are looked at. */
class ReadStagesTest {
  private final BufferWorld w = new BufferWorld(1, 4, 256);
  private final FlightRecorder recorder = w.world.dispatcher().recorder();
  private final StageMeter meter = new StageMeter(w.world.dispatcher().clock(), recorder.ring());

  private void read(int first, int blocks) {
    StageMeter.Sample sample = Objects.requireNonNull(meter.issued());
    recorder.begin(recorder.name("read"), recorder.name("test"));
    sample.begun(recorder.measure());
    w.buffers.read(
        w.run(first, blocks),
        IoClass.FOREGROUND_READ,
        BufferWorld.OWNER,
        completion -> {
          recorder.stamp(Stage.POSTED);
          meter.handled(sample);
          if (completion instanceof Completion.Done<List<Lease>>(List<Lease> leases)) {
            BufferWorld.release(leases);
          }
        });
  }

  private StageTimes after(long requests) {
    w.world.runUntil(() -> meter.times().requests() == requests);
    return meter.times();
  }

  @Test
  void aMissIsTheDisksTimeAndAHitIsNone() {
    meter.stampEvery(1);
    read(8, 4);
    StageTimes miss = after(1);
    assertEquals(1, miss.withIo());
    assertTrue(miss.untilFinished().sum() > 0, miss::toString);
    assertEquals(miss.total().sum(), miss.untilFinished().sum(), "only the disk takes time here");
    read(8, 4);
    StageTimes hit = after(2);
    assertEquals(1, hit.withIo());
    assertEquals(miss.total().sum(), hit.total().sum());
  }

  @Test
  void twoThatWaitForOneLoadAreBothStamped() {
    meter.stampEvery(1);
    read(8, 4);
    read(9, 2);
    StageTimes times = after(2);
    assertEquals(2, times.withIo());
    assertEquals(1, w.buffers.counters().loads());
    assertEquals(times.total().sum(), times.untilFinished().sum());
    assertEquals(0, times.residualNanosMax());
  }
}
