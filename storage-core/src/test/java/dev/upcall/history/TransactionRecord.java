package dev.upcall.history;

import java.util.List;

/**
 * One transaction as its client saw it: what it asked and what it was told, nothing of the store's
 * inside. A request that stands alone (a put, a delete, one look) is a transaction of one step. The
 * first transaction of a history (client {@value #NOBODY}) writes what was there when recording
 * began.
 *
 * @param number which transaction of its history, counted up by the recorder in the order of their
 *     beginnings; unique
 * @param client who ran it; a client has one transaction at a time, so that the transactions of one
 *     client are a session, in the order of {@code number}
 * @param snapshotScn the SCN that the store said its reads are as of: it must see exactly what
 *     committed with an SCN at or below. A changing request that stands alone reads in the very
 *     step that commits it, so for it this is {@code commitScn - 1}
 * @param accesses reads and writes in the order in which they were asked and answered; what failed
 *     is not in it
 * @param outcome how it ended
 * @param commitScn the SCN at which its writes became visible; {@code snapshotScn} when it has
 *     committed and written nothing; {@value #NO_SCN} when it was rolled back, or when its client
 *     never heard
 * @param durable whether its client was told that it is durable: only then must it survive a crash
 * @param beginNanos when its client asked to begin, by a clock that all clients of the history
 *     share
 * @param endNanos when its client heard of its end; by the same clock. {@code Long.MAX_VALUE} when
 *     it never did
 */
public record TransactionRecord(
    long number,
    int client,
    long snapshotScn,
    List<Access> accesses,
    Outcome outcome,
    long commitScn,
    boolean durable,
    long beginNanos,
    long endNanos) {
  /** The client of the transaction that wrote what was there at the beginning. */
  public static final int NOBODY = -1;

  /** In place of an SCN that nobody knows. */
  public static final long NO_SCN = -1;

  /** The value of a key that is absent, read or (deleted) written. */
  public static final long ABSENT = 0;

  /** Copies the list. */
  public TransactionRecord {
    accesses = List.copyOf(accesses);
  }

  /** How a transaction ended. */
  public enum Outcome {
    /** Its client was told that it has committed. */
    COMMITTED,
    /**
     * Its client gave it up, or was told that it was rolled back (conflict, deadlock, time-out, any
     * refusal). None of its writes may ever be seen.
     */
    ROLLED_BACK,
    /**
     * Its client asked to commit and never heard, or heard of a failure of the device after which
     * nobody can say. All of its writes have happened, or none.
     */
    UNKNOWN
  }

  /** One read or write. */
  public sealed interface Access {
    /** What was read or written: one text, one thing, in the whole history. */
    String key();

    /** Which value: see {@link Read} and {@link Write}. */
    long value();
  }

  /**
   * A read.
   *
   * @param value the value of the write that it has seen, that of the transaction itself included;
   *     {@link #ABSENT} when there was nothing
   */
  public record Read(String key, long value) implements Access {}

  /**
   * A write. Within a transaction the last one of a key counts.
   *
   * @param value unique in the whole history, so that a read names the write that it saw; only
   *     {@link #ABSENT}, a deletion, comes more than once
   */
  public record Write(String key, long value) implements Access {}
}
