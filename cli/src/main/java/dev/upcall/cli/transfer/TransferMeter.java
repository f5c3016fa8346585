package dev.upcall.cli.transfer;

import java.util.concurrent.atomic.LongAdder;

/** How far a transfer is; written by the threads at work, read by whoever shows it. Any thread. */
public final class TransferMeter {
  private final LongAdder entries = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private volatile long totalEntries = -1;
  private volatile long totalBytes = -1;

  /** One entry is done. */
  public void entry() {
    entries.increment();
  }

  /** Some entries are done. */
  public void entries(long count) {
    entries.add(count);
  }

  /** Bytes that were carried, or found to be there already. */
  public void bytes(long count) {
    bytes.add(count);
  }

  /** How much there is in all, once it is known. */
  public void totals(long allEntries, long allBytes) {
    totalBytes = allBytes;
    totalEntries = allEntries;
  }

  /** Entries done. */
  public long entriesDone() {
    return entries.sum();
  }

  /** Bytes done. */
  public long bytesDone() {
    return bytes.sum();
  }

  /** All entries, or -1 while unknown. */
  public long totalEntries() {
    return totalEntries;
  }

  /** All bytes, or -1 while unknown. */
  public long totalBytes() {
    return totalBytes;
  }
}
