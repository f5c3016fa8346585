package dev.upcall.history;

import java.util.List;

/**
 * Something that must not happen under snapshot isolation, and did.
 *
 * @param kind what
 * @param transactions who took part, by number, the one that noticed first; of a cycle in its order
 * @param story what was seen, in a sentence
 */
public record Anomaly(Kind kind, List<Long> transactions, String story) {
  /** Copies the list. */
  public Anomaly {
    transactions = List.copyOf(transactions);
  }

  /**
   * The kinds; names in brackets are those of A. Adya, "Weak Consistency: A Generalized Theory and
   * Optimistic Implementations for Distributed Transactions", 1999.
   */
  public enum Kind {
    /** The history is none: values or SCNs that are not unique, a commit before its snapshot. */
    MALFORMED,
    /** A value was read that nobody has written. */
    GARBAGE_READ,
    /** A transaction does not see what it has written itself. */
    OWN_WRITE_MISSED,
    /** A key had two values within one transaction that did not write it in between. */
    UNREPEATABLE_READ,
    /** A value was read whose transaction was rolled back (G1a). */
    DIRTY_READ,
    /** A value was read that its transaction wrote over later (G1b). */
    INTERMEDIATE_READ,
    /** A transaction is, over what others read and wrote over, before itself (G1c; G0). */
    CIRCULAR_INFORMATION,
    /** A cycle with exactly one overwritten read: effects were missed (G-SIb, G-single). */
    READ_SKEW,
    /** A cycle with several overwritten reads, no two of them in a row (G-SI). */
    LONG_FORK,
    /** Two transactions that did not see each other wrote the same key, and both committed. */
    LOST_UPDATE,
    /** Of one transaction something was seen, and for something else what was before it. */
    TORN_READ,
    /** A value was read that was no longer there in the snapshot. */
    STALE_READ,
    /** A value was read that was not there yet in the snapshot. */
    READ_FROM_THE_FUTURE,
    /** A snapshot does not hold what was acknowledged before it was asked for. */
    STALE_SNAPSHOT
  }
}
