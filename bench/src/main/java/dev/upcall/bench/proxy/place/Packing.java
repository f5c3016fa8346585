package dev.upcall.bench.proxy.place;

/** Gives segments of the mapped file to objects that come in. */
public sealed interface Packing {
  /** The answer of {@link #place} when there is no room. */
  long FULL = -1;

  /** A file that may become as long as it wants. */
  long ENDLESS = Long.MAX_VALUE;

  /** The offset of a new segment; {@link #FULL} when the file has no room for one. */
  long place(int segmentClass);

  /** How long the file is. */
  long endBytes();

  /** Each segment behind the one before, whether it crosses a page or not. */
  final class Plain implements Packing {
    private long endBytes;

    @Override
    public long place(int segmentClass) {
      long offset = endBytes;
      endBytes += Segments.bytes(segmentClass);
      return offset;
    }

    @Override
    public long endBytes() {
      return endBytes;
    }

    /** Whether a segment crosses a page. */
    public static boolean crosses(long offset, int segmentClass) {
      long last = offset + Segments.bytes(segmentClass) - 1;
      return offset / Segments.PAGE_BYTES != last / Segments.PAGE_BYTES;
    }
  }

  /**
   * The paper's figure 3: no segment crosses a page. At most one free piece of each class is left
   * over from splitting pages, and the smallest that is large enough is taken first.
   */
  final class Aligned implements Packing {
    /**
     * The offset of the free piece of each class; 0 when there is none, which is safe because
     * offset 0 can only be handed out as a whole page. The last one is the end of the file.
     */
    private final long[] slots = new long[Segments.CLASSES];

    private final long mostBytes;

    /** A file of at most so many bytes. */
    public Aligned(long mostBytes) {
      this.mostBytes = mostBytes;
    }

    @Override
    public long place(int segmentClass) {
      int from = segmentClass;
      while (from < Segments.PAGE_CLASS && !(slots[from] > 0)) {
        from++;
      }
      long offset = slots[from];
      if (from < Segments.PAGE_CLASS) {
        slots[from] = 0;
      } else if (offset + Segments.PAGE_BYTES > mostBytes) {
        return FULL;
      } else {
        slots[from] += Segments.PAGE_BYTES;
      }
      for (int rest = segmentClass; rest < from; rest++) {
        slots[rest] = offset + Segments.bytes(rest);
      }
      return offset;
    }

    @Override
    public long endBytes() {
      return slots[Segments.PAGE_CLASS];
    }

    /** The free piece of each class below the last, as the figure has them; 0 for none. */
    long freePiece(int segmentClass) {
      return slots[segmentClass];
    }
  }
}
