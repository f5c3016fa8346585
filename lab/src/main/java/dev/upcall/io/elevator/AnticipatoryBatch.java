package dev.upcall.io.elevator;

/**
 * Whose turn it is in {@link AnticipatoryPolicy}: that of what somebody waits for or that of the
 * rest, and for how long. A batch of the rest has so many requests as, by the time that the last
 * ones took, fit.
 */
final class AnticipatoryBatch {
  private static final int FACTOR = 3;

  private final ElevatorConfig.Anticipatory config;
  private boolean ofAwaited = true;
  private long endNanos;

  /** The other side has the turn as soon as nothing is in flight. */
  private boolean isTurning;

  /** What somebody waits for has the turn, and none of it was answered yet. */
  private boolean isFresh;

  private int othersAllowed;
  private int othersLeft;

  /** Nobody had to wait for the rest: its batch may have taken longer than it should. */
  private boolean hadNoRival;

  private int inFlight;

  AnticipatoryBatch(ElevatorConfig.Anticipatory config, long nowNanos) {
    this.config = config;
    this.endNanos = nowNanos + config.readBatchNanos();
    this.othersAllowed = config.writeBatch();
  }

  boolean isOfAwaited() {
    return ofAwaited;
  }

  /** Whether the other side, if it waits, has its turn. */
  boolean isOver(long nowNanos) {
    if (isTurning || isFresh) {
      return false;
    }
    return nowNanos - endNanos > 0 || (!ofAwaited && othersLeft == 0);
  }

  /**
   * One more of this batch.
   *
   * @param isAlone whether what somebody waits for is all that waits: its time begins again
   */
  void goesOn(boolean isAlone, long nowNanos) {
    if (isAlone) {
      endNanos = nowNanos + config.readBatchNanos();
    }
  }

  /** The turn passes. */
  void turnsTo(boolean awaited) {
    if (awaited != ofAwaited) {
      isTurning = true;
      isFresh = false;
    }
    ofAwaited = awaited;
    if (!awaited) {
      othersLeft = othersAllowed;
      hadNoRival = false;
    }
  }

  /**
   * Nothing waits that somebody waits for.
   *
   * @param noneWaits whether nothing of the rest does either
   */
  void hasNoRival(boolean noneWaits) {
    hadNoRival |= !ofAwaited && (othersLeft == 0 || noneWaits);
  }

  /** Whether the batch may begin: nothing of the other side is in flight. */
  boolean mayBegin(long nowNanos) {
    if (isTurning) {
      if (inFlight > 0) {
        return false;
      }
      isTurning = false;
      if (ofAwaited) {
        isFresh = true;
      } else {
        endNanos = nowNanos + config.writeBatchNanos();
      }
    }
    return true;
  }

  void sent() {
    inFlight++;
    if (!ofAwaited && othersLeft > 0) {
      othersLeft--;
    }
  }

  void completed(boolean awaited, long nowNanos) {
    inFlight--;
    if (isFresh && awaited) {
      adapt(nowNanos);
      endNanos = nowNanos + config.readBatchNanos();
      isFresh = false;
    }
  }

  /** The last batch of the rest took from its begin until now. */
  private void adapt(long nowNanos) {
    long planned = config.writeBatchNanos();
    long took = Math.max(0, nowNanos - endNanos + planned);
    if (took > planned && !hadNoRival) {
      othersAllowed = took > FACTOR * planned ? othersAllowed / 2 : othersAllowed - 1;
    } else if (took < planned && othersLeft == 0) {
      othersAllowed = FACTOR * took < planned ? 2 * othersAllowed : othersAllowed + 1;
    }
    othersAllowed = Math.clamp(othersAllowed, 1, 1 << 16);
  }
}
