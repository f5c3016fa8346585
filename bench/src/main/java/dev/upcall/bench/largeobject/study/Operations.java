package dev.upcall.bench.largeobject.study;

import java.util.SplittableRandom;

/**
 * The paper's random mix: 40 per cent reads, 30 inserts, 30 deletes, anywhere in the object, half
 * to one and a half times as long as the mean. A delete takes as many bytes as the insert before it
 * has brought; updates take turns, so that the object keeps its size. The stream of a seed is the
 * same for each structure, and for the store.
 */
final class Operations {
  private static final int READ_PERCENT = 40;

  private final int meanBytes;
  private final SplittableRandom random;
  private Kind update = Kind.DELETE;
  private long inserted;

  /** What an operation does. */
  enum Kind {
    READ,
    INSERT,
    DELETE
  }

  /**
   * One of them; all that it reads or deletes is there.
   *
   * @param offset where it begins
   * @param bytes how many
   */
  record Operation(Kind kind, long offset, long bytes) {}

  /** The stream of a seed. */
  Operations(int meanBytes, long seed) {
    this.meanBytes = meanBytes;
    this.random = new SplittableRandom(seed);
  }

  /** How many bytes an operation of a mean has at most. */
  static int mostBytes(int meanBytes) {
    return meanBytes / 2 + meanBytes;
  }

  /** The next one, on an object of a size. */
  Operation next(long objectBytes) {
    Kind kind = Kind.READ;
    if (random.nextInt(100) >= READ_PERCENT) {
      update = update == Kind.DELETE ? Kind.INSERT : Kind.DELETE;
      kind = update;
    }
    long bytes = meanBytes / 2L + random.nextInt(meanBytes + 1);
    if (kind == Kind.DELETE) {
      bytes = inserted;
    } else if (kind == Kind.INSERT) {
      inserted = bytes;
    }
    long places = kind == Kind.INSERT ? objectBytes + 1 : objectBytes - bytes;
    return new Operation(kind, random.nextLong(places), bytes);
  }
}
