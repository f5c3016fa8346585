package dev.upcall.bench.largeobject;

/** What a pair of an index page names: a page below it, or a segment. */
sealed interface IndexEntry permits IndexNode, Segment {
  /** Bytes of content below. */
  long bytes();
}
