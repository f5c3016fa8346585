package dev.upcall.history;

import dev.upcall.history.TransactionRecord.Access;
import dev.upcall.history.TransactionRecord.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects what clients on any threads saw of their transactions. */
public final class TransactionHistory {
  private final List<TransactionRecord> records = new ArrayList<>();
  private long numbers;

  /** What was there before anybody began: each write with its value. */
  public synchronized void initially(long scn, List<Access> writes) {
    records.add(
        new TransactionRecord(
            numbers++,
            TransactionRecord.NOBODY,
            scn,
            writes,
            Outcome.COMMITTED,
            scn,
            /* durable= */ true,
            0,
            0));
  }

  /** A client is about to ask for a transaction. */
  public synchronized Open begin(int client, long nowNanos) {
    return new Open(this, numbers++, client, nowNanos);
  }

  /** All transactions that have ended, in the order of their beginnings. */
  public synchronized List<TransactionRecord> all() {
    return records.stream().sorted(Comparator.comparingLong(TransactionRecord::number)).toList();
  }

  private synchronized void add(TransactionRecord whole) {
    records.add(whole);
  }

  /** A transaction under way; its client's thread only. End it exactly once. */
  public static final class Open {
    private final TransactionHistory history;
    private final long number;
    private final int client;
    private final long beginNanos;
    private final List<Access> accesses = new ArrayList<>();
    private long snapshotScn = TransactionRecord.NO_SCN;

    private Open(TransactionHistory history, long number, int client, long beginNanos) {
      this.history = history;
      this.number = number;
      this.client = client;
      this.beginNanos = beginNanos;
    }

    /** It has begun, and this is what it reads. */
    public void snapshot(long scn) {
      snapshotScn = scn;
    }

    /** It was told the value of a key. */
    public void read(String key, long value) {
      accesses.add(new TransactionRecord.Read(key, value));
    }

    /** It has written a key, and that was answered. */
    public void wrote(String key, long value) {
      accesses.add(new TransactionRecord.Write(key, value));
    }

    /** It was told that it has committed. */
    public void committed(long scn, boolean durable, long nowNanos) {
      end(Outcome.COMMITTED, scn, durable, nowNanos);
    }

    /** It gave up, or was told that nothing of it happened. */
    public void rolledBack(long nowNanos) {
      end(Outcome.ROLLED_BACK, TransactionRecord.NO_SCN, /* durable= */ false, nowNanos);
    }

    /** It asked to commit and will never hear. */
    public void neverHeard() {
      end(Outcome.UNKNOWN, TransactionRecord.NO_SCN, /* durable= */ false, Long.MAX_VALUE);
    }

    private void end(Outcome outcome, long commitScn, boolean durable, long endNanos) {
      history.add(
          new TransactionRecord(
              number,
              client,
              snapshotScn,
              accesses,
              outcome,
              commitScn,
              durable,
              beginNanos,
              endNanos));
    }
  }
}
