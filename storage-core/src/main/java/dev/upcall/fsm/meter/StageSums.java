package dev.upcall.fsm.meter;

import java.util.Objects;

/** Sums up the stages of requests ({@link StageTimes}). Used by one thread at a time. */
public final class StageSums {
  private static final int STAGES = 5;

  private final Distribution[] stages = new Distribution[STAGES];
  private final Distribution total = new Distribution();
  private long withIo;
  private long skipped;
  private long residualNanosMax;

  /** Of no request so far. */
  public StageSums() {
    for (int i = 0; i < STAGES; i++) {
      stages[i] = new Distribution();
    }
  }

  /** A request has ended. */
  public void add(StageStamps stamps, long issuedNanos, long handledNanos) {
    Objects.requireNonNull(stamps, "stamps");
    if (!stamps.isWhole()) {
      skipped++;
      return;
    }
    long[] moments = stamps.momentsNanos(issuedNanos, handledNanos);
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

  /** All of it. */
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
