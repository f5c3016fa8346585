package dev.upcall.fsm.meter;

import dev.upcall.base.Clock;
import dev.upcall.config.Limits;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Takes the stage stamps of an application's requests and sums them up ({@link StageTimes}). Off
 * until {@link #stampEvery} is called; then a request costs one comparison, and no memory.
 *
 * <p>Used by the application's one thread. A stamped request costs one small object and six or
 * seven readings of the clock.
 */
public final class StageMeter {
  private static final int STAGES = 5;

  private final Clock clock;
  private int every;
  private int left;
  private Distribution[] stages = new Distribution[0];
  private Distribution total = new Distribution();
  private long withIo;
  private long skipped;
  private long residualNanosMax;

  /** A meter that is off. */
  public StageMeter(Clock clock) {
    this.clock = Objects.requireNonNull(clock, "clock");
    stampEvery(0);
  }

  /**
   * Forgets what was collected and looks from now on at every request (1), at every so many-th, or
   * at none (0). What is on its way still comes in.
   */
  public void stampEvery(int requests) {
    Limits.atLeast("stamped requests", requests, 0);
    every = requests;
    left = requests;
    stages = new Distribution[STAGES];
    for (int i = 0; i < STAGES; i++) {
      stages[i] = new Distribution();
    }
    total = new Distribution();
    withIo = 0;
    skipped = 0;
    residualNanosMax = 0;
  }

  /** A request is issued: its stamps, or null if it is not looked at. */
  public @Nullable StageStamps issued() {
    if (every == 0 || --left > 0) {
      return null;
    }
    left = every;
    return new StageStamps(clock);
  }

  /** The application handles the completion, or the call returns: the last stamp, and the sums. */
  public void handled(StageStamps stamps) {
    Objects.requireNonNull(stamps, "stamps");
    stamps.handled();
    if (!stamps.isWhole()) {
      skipped++;
      return;
    }
    long[] moments = stamps.momentsNanos();
    long sum = 0;
    for (int i = 0; i < STAGES; i++) {
      long spent = Math.max(0, moments[i + 1] - moments[i]);
      stages[i].record(spent);
      sum += spent;
    }
    long whole = moments[STAGES] - moments[0];
    total.record(whole);
    residualNanosMax = Math.max(residualNanosMax, Math.abs(sum - whole));
    if (stamps.hasIo()) {
      withIo++;
    }
  }

  /** What was collected since {@link #stampEvery}. */
  public StageTimes times() {
    return new StageTimes(
        total.count(),
        withIo,
        skipped,
        stages[0].snapshot(),
        stages[1].snapshot(),
        stages[2].snapshot(),
        stages[3].snapshot(),
        stages[4].snapshot(),
        total.snapshot(),
        residualNanosMax);
  }
}
