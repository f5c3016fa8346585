package dev.upcall.fileman.reading;

import dev.upcall.io.Disk;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Reads of files that were not answered from memory, each a request of its own: one that goes on
 * where another has ended asks for more than it needs, so that those behind it find that in memory.
 * Streams side by side are told apart by where they go on. Any threads; what is forgotten, or
 * mistaken for another, costs a read of another size.
 */
public final class SequentialMisses {
  /** What is asked for where reads go on. */
  public static final int READ_BYTES = 64 << 10;

  private static final int PLACE_BITS = 8;
  private static final long SCATTER = 0x9E3779B97F4A7C15L;

  /** Which block of which file is expected next. */
  private final AtomicLongArray expected = new AtomicLongArray(1 << PLACE_BITS);

  /**
   * How many bytes such a read asks for.
   *
   * @param file its id
   * @param bytes how many are needed, at least one
   */
  public int bytesFor(long file, long offset, int bytes) {
    long first = offset / Disk.BLOCK_BYTES;
    long last = (offset + bytes - 1) / Disk.BLOCK_BYTES;
    boolean goesOn = isExpected(file, first) || isExpected(file, last);
    int asked = goesOn ? Math.max(bytes, READ_BYTES) : bytes;
    long next = tag(file, (offset + asked - 1) / Disk.BLOCK_BYTES + 1);
    expected.set(place(next), next);
    return asked;
  }

  private boolean isExpected(long file, long block) {
    long tag = tag(file, block);
    return expected.get(place(tag)) == tag;
  }

  private static long tag(long file, long block) {
    return (file * SCATTER + block) * SCATTER;
  }

  private static int place(long tag) {
    return (int) (tag >>> (Long.SIZE - PLACE_BITS));
  }
}
