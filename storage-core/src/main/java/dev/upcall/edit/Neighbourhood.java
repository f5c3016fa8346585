package dev.upcall.edit;

import dev.upcall.base.Invariants;
import java.util.List;

/**
 * The pieces around an edit: all that it touches, and on either side those that a policy may join
 * with them, which are those of the same index page. What is not in here stays as it is.
 *
 * @param pieces in the order of their content
 */
public record Neighbourhood(List<Piece> pieces) {
  /** Copies the list. */
  public Neighbourhood {
    pieces = List.copyOf(pieces);
  }

  /**
   * A byte's place.
   *
   * @param piece which piece
   * @param offset counted from the beginning of the piece
   */
  record Position(int piece, long offset) {}

  /** How many pieces. */
  int count() {
    return pieces.size();
  }

  /** Whether there is nothing yet. */
  boolean isEmpty() {
    return pieces.isEmpty();
  }

  /** One of them. */
  public Piece piece(int index) {
    return pieces.get(index);
  }

  /** Bytes of one of them. */
  long bytes(int index) {
    return pieces.get(index).bytes();
  }

  /** The place of a byte; the end of all is the end of the last piece. */
  Position find(long offset) {
    long left = offset;
    int last = pieces.size() - 1;
    for (int i = 0; i <= last; i++) {
      long bytes = bytes(i);
      if (left < bytes || (left == bytes && i == last)) {
        return new Position(i, left);
      }
      left -= bytes;
    }
    throw new Invariants.Violation("behind the end by " + left + ": " + offset);
  }

  /** The place behind a byte: the end of a piece rather than the beginning of the next one. */
  Position findEnd(long offset) {
    Position before = find(offset - 1);
    return new Position(before.piece(), before.offset() + 1);
  }
}
