package dev.upcall.segment.layout;

import dev.upcall.tree.PageRef;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The stored form of a map of pieces, inside an inode, drawn in {@code docs/format.md}. Numbers of
 * a piece in groups of seven bits, the lowest first; all but the last group have the high bit.
 */
final class PieceMapCodec {
  private static final int MORE = 0x80;
  private static final int GROUP_BITS = 7;
  private static final int MOST_SHIFT = 56;

  private PieceMapCodec() {}

  /** Writes a map; {@link PieceMap#encodedBytes} bytes. */
  static void encode(PieceMap map, ByteBuffer out) {
    out.putLong(map.spaceBytes()).putShort((short) map.pieces().size());
    for (PieceMap.Piece piece : map.pieces()) {
      putNumber(out, piece.bytes());
      putNumber(out, piece.from());
    }
    PieceMap.Folded folded = map.folded();
    if (folded != null) {
      PageRef.encode(folded.root(), out);
      out.putLong(folded.bytes()).putLong(folded.edge()).putLong(folded.pieces());
    }
  }

  /**
   * Reads a map.
   *
   * @param isFolded whether it has a tree
   * @throws IllegalArgumentException if it is none
   * @throws java.nio.BufferUnderflowException if it is cut short
   */
  static PieceMap decode(ByteBuffer in, boolean isFolded) {
    long spaceBytes = in.getLong();
    int count = Short.toUnsignedInt(in.getShort());
    List<PieceMap.Piece> pieces = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      pieces.add(new PieceMap.Piece(number(in), number(in)));
    }
    return PieceMap.of(isFolded ? folded(in) : null, spaceBytes, pieces);
  }

  private static PieceMap.Folded folded(ByteBuffer in) {
    PageRef root = InodeCodec.root(in);
    return new PieceMap.Folded(root, in.getLong(), in.getLong(), in.getLong());
  }

  private static void putNumber(ByteBuffer out, long number) {
    long left = number;
    while (left >= MORE) {
      out.put((byte) (left | MORE));
      left >>>= GROUP_BITS;
    }
    out.put((byte) left);
  }

  /** At most nine groups, none of them superfluous: a number has one form. */
  private static long number(ByteBuffer in) {
    long number = 0;
    for (int shift = 0; shift <= MOST_SHIFT; shift += GROUP_BITS) {
      byte group = in.get();
      number |= (long) (group & (MORE - 1)) << shift;
      if (group >= 0) {
        if (group == 0 && shift > 0) {
          throw new IllegalArgumentException("number with a superfluous byte");
        }
        return number;
      }
    }
    throw new IllegalArgumentException("number of more than nine bytes");
  }
}
