package dev.upcall.io.trace;

/**
 * How many different pages were seen, in bounded memory: a bit for each page of a device of up to
 * 256 GiB (8 MiB, of which only the parts are made where something happens). Of a larger device one
 * page in a group of equal size is looked at, chosen by a hash, and stands for its group.
 */
final class PageSet {
  /** The most bits. */
  static final long MAX_BITS = 1L << 26;

  private static final int PART_BITS = 1 << 12;
  private static final int PART_WORDS = PART_BITS / Long.SIZE;

  private final int shift;
  private final long groups;
  private final long[][] parts;

  /** In which epoch a part was cleared last: clearing all costs nothing until a part is used. */
  private final int[] epochs;

  private int epoch;
  private long seen;

  /** An empty set of pages [0, pages). */
  PageSet(long pages) {
    int bits = 0;
    while (pages >>> bits > MAX_BITS) {
      bits++;
    }
    this.shift = bits;
    this.groups = (Math.max(pages, 1) - 1 >>> bits) + 1;
    int count = (int) ((groups + PART_BITS - 1) / PART_BITS);
    this.parts = new long[count][];
    this.epochs = new int[count];
  }

  /** Pages [first, end) are in the set; those beyond its size are left out. */
  void add(long first, long end) {
    for (long page = first; page < end; page++) {
      long group = page >>> shift;
      if (group >= groups) {
        return;
      }
      if (isLookedAt(page, group)) {
        addGroup(group);
      }
    }
  }

  private boolean isLookedAt(long page, long group) {
    long mask = (1L << shift) - 1;
    long mixed = group * 0x9E37_79B9_7F4A_7C15L;
    return ((page ^ mixed >>> 32) & mask) == 0;
  }

  private void addGroup(long group) {
    int at = (int) (group / PART_BITS);
    long[] part = parts[at];
    if (part == null || epochs[at] != epoch) {
      part = new long[PART_WORDS];
      parts[at] = part;
      epochs[at] = epoch;
    }
    int bit = (int) (group % PART_BITS);
    long mask = 1L << bit;
    if ((part[bit / Long.SIZE] & mask) == 0) {
      part[bit / Long.SIZE] |= mask;
      seen++;
    }
  }

  /** How many pages were added, or about how many. */
  long size() {
    return seen << shift;
  }

  /** Empties it. */
  void clear() {
    epoch++;
    seen = 0;
  }
}
