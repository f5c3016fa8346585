package dev.upcall.fsm.meter;

import java.util.List;
import java.util.Objects;

/**
 * What a dispatcher has counted since it was made; an immutable copy.
 *
 * @param name the dispatcher's name
 * @param turns turns taken
 * @param upcalls upcalls run from the FIFO
 * @param timers timers run
 * @param crossThread upcalls taken over from other threads
 * @param reaped I/O completions reaped
 * @param waits how often the owner went to sleep, or to look for the end of I/O first
 * @param spunNanos time that the owner stayed awake, with nothing to do, for callers that might
 *     come back at once
 * @param ioLooks how often the owner, before it slept, looked for the end of I/O
 * @param callerLooks how often other threads, before they slept, looked for the end of their calls
 * @param fifoDepth upcalls waiting now
 * @param fifoDepthMax the most that ever waited at the end of the taking-in steps of a turn
 * @param busyNanos time spent in turns, waiting excluded
 * @param upcallNanosMax the longest upcall or timer
 * @param turnNanosSpread how long the turns took that ran something, waiting excluded
 * @param batches how many upcalls and timers each of these turns ran
 * @param queueBefore how many upcalls waited when each of them had taken in and began to run them
 * @param queueAfter how many waited at its end: what its limits left, and what an early submission
 *     put off
 * @param culprits the upcalls and timers over the stall threshold by culprit, in the order of each
 *     culprit's first; of very many the later ones together, as "others"
 */
public record DispatcherMetrics(
    String name,
    long turns,
    long upcalls,
    long timers,
    long crossThread,
    long reaped,
    long waits,
    long spunNanos,
    LookCounts ioLooks,
    LookCounts callerLooks,
    int fifoDepth,
    int fifoDepthMax,
    long busyNanos,
    long upcallNanosMax,
    DistributionSnapshot turnNanosSpread,
    DistributionSnapshot batches,
    DistributionSnapshot queueBefore,
    DistributionSnapshot queueAfter,
    List<Culprit> culprits) {

  /** Copies the list. */
  public DispatcherMetrics {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(ioLooks, "ioLooks");
    Objects.requireNonNull(callerLooks, "callerLooks");
    Objects.requireNonNull(turnNanosSpread, "turnNanosSpread");
    Objects.requireNonNull(batches, "batches");
    Objects.requireNonNull(queueBefore, "queueBefore");
    Objects.requireNonNull(queueAfter, "queueAfter");
    Objects.requireNonNull(culprits, "culprits");
    culprits = List.copyOf(culprits);
  }

  /**
   * Who has stalled the dispatcher.
   *
   * @param name the class of the upcalls or ports; for a lambda the class that wrote it
   * @param stalls how often
   * @param tookNanos how long all in all
   */
  public record Culprit(String name, long stalls, long tookNanos) {
    /** Checks that nothing is missing. */
    public Culprit {
      Objects.requireNonNull(name, "name");
    }

    /** Both together, under this one's name. */
    public Culprit plus(Culprit other) {
      Objects.requireNonNull(other, "other");
      return new Culprit(name, stalls + other.stalls, tookNanos + other.tookNanos);
    }
  }
}
