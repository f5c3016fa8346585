package dev.upcall.trees;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** How far a task is; written by the threads at work, read by whoever shows it. Any thread. */
public final class TreeProgress {
  private final LongAdder entries = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private volatile @Nullable String path;
  private volatile long totalEntries = -1;
  private volatile long totalBytes = -1;

  /** Nothing is done yet. */
  public TreeProgress() {}

  /** One entry is done. */
  public void entry() {
    entries.increment();
  }

  /** One more entry is looked at. */
  public void at(String current) {
    path = Objects.requireNonNull(current, "current");
  }

  /** Some entries are done. */
  public void entries(long count) {
    entries.add(count);
  }

  /** Bytes that were carried, or found to be there already; less than none takes some back. */
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

  /** Which entry was looked at last, as the source names it; empty before the first. */
  public Optional<String> currentPath() {
    return Optional.ofNullable(path);
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
