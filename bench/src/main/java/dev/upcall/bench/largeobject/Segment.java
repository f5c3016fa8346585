package dev.upcall.bench.largeobject;

import dev.upcall.edit.Piece;

/**
 * A piece of an object and where it lies.
 *
 * @param page the first
 * @param pages of its place
 * @param bytes of content from the beginning of the first page on
 */
record Segment(int page, int pages, long bytes) implements IndexEntry {
  /** What a policy sees of it. */
  Piece piece() {
    return new Piece(bytes, pages);
  }

  /** The address of one of its bytes. */
  long address(long offset) {
    return (long) page * PaperMachine.PAGE_BYTES + offset;
  }
}
