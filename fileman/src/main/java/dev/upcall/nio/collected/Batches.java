package dev.upcall.nio.collected;

import dev.upcall.base.Invariants;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What of a file is collected, and what of that leaves: at most two batches, in their order.
 * Guarded by the lock of the file's {@link PendingWrites}.
 */
final class Batches {
  private static final int MAX_ZERO_BYTES = 64 << 10;

  /** What new writes go to. */
  private @Nullable Batch collecting;

  /** What is being committed, or could not be. */
  private @Nullable Batch leaving;

  /** Batches that were begun. */
  private long begun;

  /** Of these, those that are committed. */
  private long through;

  /** The file's size with all that is here, while there is any. */
  private long sizeBytes;

  /** Whether there is any, for one without the lock; written with it held. */
  private volatile boolean any;

  boolean isAny() {
    return any;
  }

  void areAny(boolean now) {
    any = now;
  }

  boolean areNone() {
    return collecting == null && leaving == null;
  }

  @Nullable Batch collecting() {
    return collecting;
  }

  /** What is collected from now on; it has its first write. */
  void begin(Batch fresh) {
    Invariants.check(!fresh.isEmpty(), "an empty batch of writes, number", begun);
    collecting = fresh;
    begun++;
  }

  long begun() {
    return begun;
  }

  long through() {
    return through;
  }

  long sizeBytes() {
    return sizeBytes;
  }

  void sizeBytes(long now) {
    sizeBytes = now;
  }

  @Nullable Batch leaving() {
    return leaving;
  }

  /** What is to be committed next, which from now on is not changed; null if there is nothing. */
  @Nullable Batch leave() {
    if (leaving == null) {
      leaving = collecting;
      collecting = null;
    }
    return leaving;
  }

  /** What leaves is committed; how many bytes that was. */
  int left() {
    Batch batch = leaving;
    if (batch == null) {
      return 0;
    }
    leaving = null;
    through++;
    return batch.bytes();
  }

  /** All is given up; how many bytes that was. */
  int discard() {
    int bytes = bytes(leaving) + bytes(collecting);
    leaving = null;
    collecting = null;
    through = begun;
    return bytes;
  }

  private static int bytes(@Nullable Batch batch) {
    return batch == null ? 0 : batch.bytes();
  }

  // ------------------------------------------------------------------ reading

  /** Copies some of what is collected from an offset on. */
  OverlaidRead.Look look(long offset, ByteBuffer into) {
    if (any && offset >= sizeBytes) {
      return new OverlaidRead.Look(-1, offset, through);
    }
    long until = next(collecting, offset);
    int count = read(collecting, offset, until, into);
    if (count == 0) {
      count = read(leaving, offset, until, into);
    }
    until = Math.min(until, next(leaving, offset));
    return new OverlaidRead.Look(count > 0 ? count : OverlaidRead.Look.ASK, until, through);
  }

  /** Zeros from where the committed content has ended on; -1 if nothing is behind them. */
  static int zeros(OverlaidRead.Look now, long offset, ByteBuffer into) {
    if (now.until() == Long.MAX_VALUE) {
      return -1;
    }
    int zeros = (int) Math.min(Math.min(now.until() - offset, into.remaining()), MAX_ZERO_BYTES);
    into.put(new byte[zeros]);
    return zeros;
  }

  private static long next(@Nullable Batch batch, long offset) {
    return batch == null ? Long.MAX_VALUE : batch.next(offset);
  }

  private static int read(@Nullable Batch batch, long offset, long until, ByteBuffer into) {
    return batch == null ? 0 : batch.read(offset, until, into);
  }
}
