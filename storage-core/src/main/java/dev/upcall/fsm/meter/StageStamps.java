package dev.upcall.fsm.meter;

import dev.upcall.fsm.record.Stage;
import java.util.Objects;

/**
 * When one request for content came to each point of its way ({@link Stage}); for a {@link
 * StageMeter}, which gathers it from the flight recorder, or for a call that stays on its thread.
 * Used by one thread at a time.
 */
public final class StageStamps {
  private static final long NONE = Long.MIN_VALUE;

  private long requestedNanos = NONE;
  private long startedNanos = NONE;
  private long finishedNanos = NONE;
  private long postedNanos = NONE;

  /** Until then the disk is asked for pages only. */
  private boolean io;

  /** Of a request that came to no point so far. */
  public StageStamps() {}

  /** The request comes to a point of its way. */
  public void stamp(Stage stage, long nowNanos) {
    switch (Objects.requireNonNull(stage, "stage")) {
      case REQUESTED -> {
        io = true;
        requestedNanos = first(requestedNanos, nowNanos);
      }
      case STARTED -> {
        if (io) {
          startedNanos = first(startedNanos, nowNanos);
        }
      }
      case FINISHED -> {
        if (io) {
          finished(nowNanos);
        }
      }
      case FOUND -> {
        if (finishedNanos == NONE) {
          finished(nowNanos);
        }
      }
      case POSTED -> postedNanos = nowNanos;
    }
  }

  private void finished(long nowNanos) {
    finishedNanos = nowNanos;
    requestedNanos = first(requestedNanos, nowNanos);
    startedNanos = first(startedNanos, requestedNanos);
  }

  private static long first(long known, long nowNanos) {
    return known == NONE ? nowNanos : known;
  }

  /** Whether the way to the content was stamped; a request that failed before has no stages. */
  boolean isWhole() {
    return requestedNanos != NONE && startedNanos != NONE && finishedNanos != NONE;
  }

  /** Whether the disk was asked. */
  boolean hasIo() {
    return io;
  }

  /**
   * The six moments in their order. Who called and waits gets nothing posted: for it that falls
   * together with the end of the I/O.
   */
  long[] momentsNanos(long issuedNanos, long handledNanos) {
    return new long[] {
      issuedNanos,
      requestedNanos,
      startedNanos,
      finishedNanos,
      postedNanos == NONE ? finishedNanos : postedNanos,
      handledNanos
    };
  }
}
