package dev.upcall.sim.drive;

import dev.upcall.base.Clock;
import dev.upcall.base.Invariants;
import dev.upcall.io.DiskRequest;
import dev.upcall.sim.ServiceModel;
import dev.upcall.sim.ServiceTime;
import dev.upcall.sim.SimReactor;
import java.util.ArrayDeque;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;

/**
 * A flash device: every request takes as long as any other of its kind, and as many as it has
 * channels go on at once.
 *
 * @param readNanos a read
 * @param otherNanos anything else
 * @param channels how many requests at once; others wait, first come, first served
 */
public record FlashConfig(long readNanos, long otherNanos, int channels) implements ServiceModel {
  /** 100 microseconds for a read, 50 for a write, 32 at once. */
  public static final FlashConfig FLAT = new FlashConfig(100_000, 50_000, 32);

  /** Checks the limits. */
  public FlashConfig {
    Invariants.check(readNanos > 0 && otherNanos > 0, "time", readNanos, otherNanos);
    Invariants.check(channels > 0, "channels", channels);
  }

  @Override
  public ServiceTime start(SimReactor reactor, Clock clock, SplittableRandom random) {
    return new Flash(this, reactor);
  }

  private static final class Flash implements ServiceTime {
    private final FlashConfig config;
    private final SimReactor reactor;
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private int busy;

    private Flash(FlashConfig config, SimReactor reactor) {
      this.config = config;
      this.reactor = reactor;
    }

    @Override
    public void serve(DiskRequest request, LongUnaryOperator disturbed, Runnable done) {
      boolean reads = request instanceof DiskRequest.Read;
      long nanos = disturbed.applyAsLong(reads ? config.readNanos : config.otherNanos);
      Runnable start = () -> reactor.after(nanos, () -> end(done));
      if (busy < config.channels) {
        busy++;
        start.run();
      } else {
        waiting.addLast(start);
      }
    }

    private void end(Runnable done) {
      Runnable next = waiting.pollFirst();
      if (next == null) {
        busy--;
      } else {
        next.run();
      }
      done.run();
    }
  }
}
