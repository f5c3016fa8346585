package dev.upcall.segment;

import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * Unplaced content over other unplaced content, of which some is no longer valid: what a
 * transaction has written into a segment, over what was unplaced of it when the transaction began.
 */
public final class Layered implements Unplaced {
  private final Overlay top;
  private final NavigableMap<Long, Long> hidden;
  private final Unplaced below;

  /**
   * Lays content over other content.
   *
   * @param hidden the content blocks of {@code below} that are not valid: the first of each run,
   *     and the first behind it; must not be changed as long as this is used
   */
  public Layered(Overlay top, NavigableMap<Long, Long> hidden, Unplaced below) {
    this.top = top;
    this.hidden = hidden;
    this.below = below;
  }

  /** The content blocks [block, end) of another piece, which may have more. */
  record Cut(Piece piece, long block, long end) implements Piece {}

  @Override
  public @Nullable Piece ceiling(long block) {
    Overlay.Part own = top.ceiling(block);
    if (own != null && own.block() <= block) {
      return own;
    }
    Piece under = visible(block);
    if (own == null || under == null) {
      return under == null ? own : under;
    }
    if (own.block() <= under.block()) {
      return own;
    }
    return under.end() > own.block() ? new Cut(under, under.block(), own.block()) : under;
  }

  /** The first run of valid blocks below that ends behind a block; none of them is before it. */
  private @Nullable Piece visible(long block) {
    long from = block;
    while (true) {
      Piece piece = below.ceiling(from);
      if (piece == null) {
        return null;
      }
      from = Math.max(from, piece.block());
      Map.Entry<Long, Long> hiding = hidden.floorEntry(from);
      if (hiding == null || hiding.getValue() <= from) {
        Long next = hidden.higherKey(from);
        return new Cut(piece, from, next == null ? piece.end() : Math.min(next, piece.end()));
      }
      from = hiding.getValue();
    }
  }

  @Override
  public boolean isEmpty() {
    return top.isEmpty() && below.isEmpty();
  }

  @Override
  public Layered retain() {
    top.retain();
    below.retain();
    return this;
  }

  @Override
  public void release() {
    top.release();
    below.release();
  }
}
