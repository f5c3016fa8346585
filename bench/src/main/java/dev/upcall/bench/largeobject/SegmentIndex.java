package dev.upcall.bench.largeobject;

import java.util.List;

/** Which segments an object is made of, in order; found by position. */
interface SegmentIndex {
  /**
   * Segments next to each other.
   *
   * @param start the position of the first byte
   * @param segments in order
   */
  record Window(long start, List<Segment> segments) {
    public Window {
      segments = List.copyOf(segments);
    }

    /** The position of one of the segments, or of the end. */
    long position(int index) {
      return start + segments.subList(0, index).stream().mapToLong(Segment::bytes).sum();
    }
  }

  /** Bytes of the object. */
  long bytes();

  /** The last segment and those that a policy may join with it. */
  Window end();

  /** The segments between two positions and those that a policy may join with them. */
  Window around(long from, long to);

  /** Puts segments in the place of those between two positions. */
  void replace(long from, long to, List<Segment> segments);

  /** The operation ends, or a series of appends: what has changed in the index is written. */
  void write();

  /** Pages of the index besides the root, which lies in the object's header. */
  int pages();
}
