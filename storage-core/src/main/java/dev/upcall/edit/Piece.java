package dev.upcall.edit;

import dev.upcall.base.Invariants;

/**
 * A part of an object: contiguous blocks whose first bytes are content.
 *
 * @param bytes of content, at least one
 * @param blocks of its place, some of which may still be empty
 */
public record Piece(long bytes, int blocks) {
  /** Checks that there is something in it. */
  public Piece {
    Invariants.check(bytes > 0 && blocks > 0, "an empty piece", bytes, blocks);
  }
}
