package dev.upcall.buffer;

import dev.upcall.io.Disk;

/**
 * How far one reader is read ahead of. Two reads in a row open a window that doubles while the
 * reader stays in sequence; a jump drops it. Skipping less than the window is no jump: what was
 * skipped may have been read elsewhere, by who copies what is in memory. The window is filled up
 * again whenever a quarter of it has been read: so three quarters of it are on their way at least,
 * which at its largest is as much as keeps a fast device busy. Where the content lies knows its
 * {@link Source}: so the window goes on over extents and pieces, however short they are.
 * Dispatcher's thread only.
 */
public final class ReadAhead {
  private static final int FIRST_WINDOW_BYTES = 1 << 18;
  private static final int LAST_WINDOW_BYTES = 6 << 20;

  /** The window takes at most this part of the frames, as all read-ahead together may. */
  private static final int WINDOW_PART = 8;

  /** What part of the window is asked for at once. */
  private static final int REFILL_PART = 4;

  /** Of what lies in short runs no more of them are asked for in an upcall; the next goes on. */
  private static final int MOST_RUNS = 32;

  private final BufferManager buffers;
  private final long sizeBytes;
  private final Source source;
  private long last = -1;
  private long next;
  private int windowBytes;
  private long ahead;

  /** What is read. */
  @FunctionalInterface
  public interface Source {
    /**
     * Begins to load what lies together from an offset on.
     *
     * @param until where that ends which is wanted
     * @return how many bytes from the offset on are on their way or in memory; 0 if that is none,
     *     for now
     */
    long prefetch(long offset, long until);
  }

  /** Of a reader that has read nothing. */
  public ReadAhead(BufferManager buffers, long sizeBytes, Source source) {
    this.buffers = buffers;
    this.sizeBytes = sizeBytes;
    this.source = source;
  }

  /**
   * A range is being read.
   *
   * @param bytes how many at most; who gets fewer goes on where they end
   */
  public void reading(long offset, int bytes) {
    boolean inSequence = offset > 0 && offset > last && offset <= next + windowBytes;
    last = offset;
    next = offset + bytes;
    if (!inSequence) {
      windowBytes = 0;
      ahead = next;
      return;
    }
    windowBytes =
        windowBytes == 0
            ? FIRST_WINDOW_BYTES
            : Math.max(windowBytes, Math.min(2 * windowBytes, lastWindowBytes()));
    ahead = Math.max(ahead, next);
    long until = Math.min(next + windowBytes, sizeBytes);
    if (until - ahead >= windowBytes / REFILL_PART || until == sizeBytes) {
      fill(until);
    }
  }

  private void fill(long until) {
    for (int runs = 0; ahead < until && runs < MOST_RUNS; runs++) {
      long prefetched = source.prefetch(ahead, until);
      if (prefetched == 0) {
        return;
      }
      ahead += prefetched;
    }
  }

  private int lastWindowBytes() {
    long frameBytes = (long) buffers.capacityBlocks() * Disk.BLOCK_BYTES;
    return (int) Math.min(LAST_WINDOW_BYTES, frameBytes / WINDOW_PART);
  }
}
