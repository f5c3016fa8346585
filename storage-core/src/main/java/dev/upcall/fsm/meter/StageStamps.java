package dev.upcall.fsm.meter;

import dev.upcall.base.Clock;
import java.util.Objects;

/**
 * When one request for content came to each point of its way: the stages of the report's tables
 * (<i>Storage System Design using Finite State Machines</i>, where the time of an open goes). It
 * travels with the request, as an argument of it, and whoever does a step stamps it; a request that
 * is not looked at has none, and each step then costs one comparison with null.
 *
 * <p><b>With I/O</b> (the content is on the disk): <i>requested</i> is when the buffer manager has
 * memory and asks the disk; <i>started</i> when the disk hands the request to the kernel (the ring,
 * with the submission of the turn) or to a system call (a pool's thread); <i>finished</i> when the
 * store's thread reaps the completion. Of several requests to the disk the first is requested and
 * started, the last is finished. Who waits for a load that somebody else began has it started when
 * it asked.
 *
 * <p><b>Without I/O</b> (all is in memory) the three fall together, at the moment at which that is
 * known. The report's requests found their file in the operating system's cache, but went through a
 * thread for I/O to find that out; here the store's own memory is looked at in place.
 *
 * <p>Pages of the trees are not stamped: waiting for them is part of the time until the content is
 * asked for.
 *
 * <p>Used by one thread at a time; what hands the request over hands this over.
 */
public final class StageStamps {
  private static final long NONE = Long.MIN_VALUE;

  private final Clock clock;
  private final long issuedNanos;
  private long requestedNanos = NONE;
  private long startedNanos = NONE;
  private long finishedNanos = NONE;
  private long postedNanos = NONE;
  private long handledNanos = NONE;
  private boolean io;

  /** Of a request that is issued now; for a {@link StageMeter}. */
  public StageStamps(Clock clock) {
    this.clock = Objects.requireNonNull(clock, "clock");
    this.issuedNanos = clock.monotonicNanos();
  }

  /**
   * All is in memory: the disk need not be asked, or somebody else's load that this waited for has
   * ended. Says nothing new after I/O of one's own.
   */
  public void foundInMemory() {
    if (finishedNanos == NONE) {
      finishedNanos = clock.monotonicNanos();
      requestedNanos = requestedNanos == NONE ? finishedNanos : requestedNanos;
      startedNanos = startedNanos == NONE ? requestedNanos : startedNanos;
    }
  }

  /** The content is asked of the disk. Only the first counts. */
  public void ioRequested() {
    if (requestedNanos == NONE) {
      requestedNanos = clock.monotonicNanos();
      io = true;
    }
  }

  /** The disk begins. Only the first counts. */
  public void ioStarted() {
    if (startedNanos == NONE) {
      startedNanos = clock.monotonicNanos();
    }
  }

  /** The disk is done. Only the last counts. */
  public void ioFinished() {
    finishedNanos = clock.monotonicNanos();
    startedNanos = startedNanos == NONE ? requestedNanos : startedNanos;
  }

  /** The store posts the completion. */
  public void posted() {
    postedNanos = clock.monotonicNanos();
  }

  /** The application handles the completion, or the call returns. Only the first counts. */
  public void handled() {
    if (handledNanos == NONE) {
      handledNanos = clock.monotonicNanos();
    }
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
  long[] momentsNanos() {
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
