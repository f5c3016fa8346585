package dev.upcall.fsm.record;

import dev.upcall.config.Limits;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The last records of one writer, which any other thread may copy at any time without a lock: the
 * writer never waits and never looks who reads. Fixed size, no allocation after its making.
 *
 * <p><b>Why a copy is right.</b> Two counters say what the writer is about. {@code intended} is
 * raised <em>before</em> slots are written, a stride of them at once: below it everything may have
 * been begun. {@code published} is raised <em>after</em>, once a turn: below it everything is
 * whole. A reader takes {@code published}, copies, and then takes {@code intended}: the slot of
 * record <i>s</i> belongs to record <i>s + size</i> next, so what it has copied of <i>s</i> is
 * whole exactly if <i>s + size</i> was not yet intended. The rest is dropped and shows as a gap.
 *
 * <p>In the terms of the memory model: {@code published} is a release and an acquire, so records
 * below it are seen whole or overwritten. Of the overwriting, the writer has a store-store fence
 * between {@code intended} and the slots, the reader a load-load fence between the slots and {@code
 * intended}, and all these accesses are opaque: so whoever has seen a word of the newer record sees
 * that it was intended. On x86 both fences cost nothing but the order of the compiler.
 */
public final class RecordRing {
  /** The size of a record in a copy. */
  public static final int RECORD_BYTES = 48;

  /** The most records of a ring: 768 MiB. */
  public static final int MAX_KEPT = 1 << 24;

  /** Records that are intended at once: so that only each so many-th pays for it. */
  private static final int STRIDE_MAX = 256;

  private static final int WORDS = RECORD_BYTES / Long.BYTES;

  private final AtomicLongArray words;
  private final int kept;
  private final int stride;

  /** The writer's own: the sequence of its next record, and how far it has said so. */
  private long next;

  private long claimed;

  private final AtomicLong intended = new AtomicLong();
  private final AtomicLong published = new AtomicLong();

  /**
   * An empty ring.
   *
   * @param recordsKept how many records it keeps: a power of two, or 0 for a ring that takes none
   */
  public RecordRing(int recordsKept) {
    this.kept = checkedSize(recordsKept);
    this.words = new AtomicLongArray(kept * WORDS);
    this.stride = Math.clamp(kept / 8, 1, STRIDE_MAX);
  }

  /** A number of records that a ring can keep; any other one is refused. */
  public static int checkedSize(int recordsKept) {
    Limits.within("recordsKept", recordsKept, 0, MAX_KEPT);
    Limits.require(Integer.bitCount(recordsKept) <= 1, "recordsKept must be a power of two, or 0");
    return recordsKept;
  }

  /** How many records it keeps. Any thread. */
  public int kept() {
    return kept;
  }

  /** How many records were ever written. Writer only. */
  public long written() {
    return next;
  }

  /** Writes a record; others see it after {@link #publish}. Writer only. */
  public void write(long atNanos, long request, long head, long number, long extra, long more) {
    if (kept == 0) {
      return;
    }
    if (next == claimed) {
      claim();
    }
    int at = slot(next);
    words.setOpaque(at, atNanos);
    words.setOpaque(at + 1, request);
    words.setOpaque(at + 2, head);
    words.setOpaque(at + 3, number);
    words.setOpaque(at + 4, extra);
    words.setOpaque(at + 5, more);
    next++;
  }

  private void claim() {
    claimed += stride;
    intended.setOpaque(claimed);
    VarHandle.storeStoreFence();
  }

  /** Shows others what was written. Writer only. */
  public void publish() {
    published.setRelease(next);
  }

  /** How many records were ever written and published. Any thread. */
  public long published() {
    return published.getAcquire();
  }

  /**
   * Copies published records, as many as are there and fit, to the position of a buffer, which
   * moves behind them. Records that are overwritten before they could be copied are left out; they
   * are older than all that is copied. Any thread.
   *
   * @param sequence the first record that is wanted
   * @param to in whose byte order the six longs of each record are put
   * @return the sequence of the record behind the last copied one, for the next call; so this less
   *     {@code sequence} less the number of copied records were overwritten
   */
  public long copySince(long sequence, ByteBuffer to) {
    Limits.atLeast("sequence", sequence, 0);
    Objects.requireNonNull(to, "to");
    long end = published();
    long first = Math.max(sequence, oldest());
    if (first >= end) {
      // All are older than what is kept, or there is nothing new.
      return Math.max(sequence, end);
    }
    int start = to.position();
    long until = Math.min(end, first + to.remaining() / RECORD_BYTES);
    copy(first, until, to);
    long whole = Math.clamp(oldestWhole(), first, until);
    int spoilt = (int) (whole - first) * RECORD_BYTES;
    if (spoilt > 0) {
      int length = to.position() - start - spoilt;
      to.put(start, to, start + spoilt, length).position(start + length);
    }
    return until;
  }

  /** Copies without a look at what is overwritten meanwhile. Any thread. */
  void copy(long first, long until, ByteBuffer to) {
    for (long sequence = first; sequence < until; sequence++) {
      int at = slot(sequence);
      for (int word = 0; word < WORDS; word++) {
        to.putLong(words.getOpaque(at + word));
      }
    }
  }

  /** The oldest record of which everything read before this call was whole. Any thread. */
  long oldestWhole() {
    VarHandle.loadLoadFence();
    return oldest();
  }

  private long oldest() {
    return Math.max(0, intended.getOpaque() - kept);
  }

  private int slot(long sequence) {
    return ((int) sequence & (kept - 1)) * WORDS;
  }
}
