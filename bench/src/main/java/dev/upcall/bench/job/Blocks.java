package dev.upcall.bench.job;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;

/**
 * Content of the files that are read: blocks of 4 KiB that begin with their own number, so that a
 * reader can tell whether it got the right one, and are random otherwise, so that no device can
 * make them smaller.
 */
public final class Blocks {
  /** Bytes of a block. */
  public static final int BYTES = 4096;

  private static final int POOL_BYTES = 1 << 20;

  private final byte[] pool = new byte[POOL_BYTES];

  /** Content from a seed. */
  public Blocks(long seed) {
    new Random(seed).nextBytes(pool);
  }

  /** Fills a buffer with consecutive blocks, of the last one as much as there is room for. */
  public void fill(long firstBlock, ByteBuffer into) {
    into.order(ByteOrder.LITTLE_ENDIAN);
    for (long block = firstBlock; into.remaining() >= Long.BYTES; block++) {
      into.putLong(block);
      int from = Math.floorMod(block * 7919 * 8, POOL_BYTES - BYTES);
      into.put(pool, from, Math.min(into.remaining(), BYTES - Long.BYTES));
    }
  }

  /** Fails when a buffer does not begin with a block. */
  public static void check(long block, ByteBuffer bytes) {
    long found = bytes.order(ByteOrder.LITTLE_ENDIAN).getLong(bytes.position());
    if (found != block) {
      throw new IllegalStateException("read block " + found + " instead of " + block);
    }
  }
}
