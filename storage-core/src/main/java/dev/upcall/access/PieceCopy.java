package dev.upcall.access;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.segment.layout.PieceMap;
import dev.upcall.txn.SegmentAccess;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads private content by a map of pieces, and copies it to blocks that no piece names yet. One
 * request at a time; dispatcher's thread only.
 */
final class PieceCopy {
  private final SegmentAccess access;
  private final PrivateSpace space;
  private final MapLook maps;

  PieceCopy(SegmentAccess access, PrivateSpace space, MapLook maps) {
    this.access = access;
    this.space = space;
    this.maps = maps;
  }

  /**
   * A range of content as it is with bytes in the place of others.
   *
   * @param map how blocks make up the content without them
   * @param from where in the content the range begins
   * @param offset where the bytes come
   * @param bytes all that come, in the end taken
   * @param behind where the content goes on after them
   */
  record Changed(PieceMap map, long from, long offset, ByteBuffer bytes, long behind) {}

  /**
   * Lays a range to new bytes of the block space, as much of it as these pieces have together. What
   * is little is laid at once, so that a block is made once and logged once.
   */
  void lay(Changed content, List<PieceMap.Piece> pieces, CompletionPort<Unit> port) {
    new Laying(content, pieces.iterator(), port).next();
  }

  /** One range on its way. */
  private final class Laying {
    private final Changed content;
    private final long inserted;
    private final Iterator<PieceMap.Piece> pieces;
    private final CompletionPort<Unit> port;

    /** How many bytes of the range are taken. */
    private long taken;

    Laying(Changed content, Iterator<PieceMap.Piece> pieces, CompletionPort<Unit> port) {
      this.content = content;
      this.inserted = content.bytes().remaining();
      this.pieces = pieces;
      this.port = port;
    }

    void next() {
      if (pieces.hasNext()) {
        PieceMap.Piece piece = pieces.next();
        lay(piece.from(), piece.end());
      } else {
        port.complete(Completion.done());
      }
    }

    private void lay(long at, long end) {
      if (at == end) {
        next();
        return;
      }
      int length = (int) Math.min(end - at, access.writers().pieceBytes());
      ByteBuffer some = ByteBuffer.allocate(length);
      boolean isCopied = taken + length <= ahead() || taken >= ahead() + inserted;
      fill(
          some,
          port.then(
              filled -> {
                some.flip();
                if (isCopied && isZero(some)) {
                  // New blocks are holes, which stay holes.
                  lay(at + length, end);
                } else {
                  space.lay(
                      at,
                      some,
                      port.then(
                          laid -> space.spillIfMuch(port.then(rest -> lay(at + length, end)))));
                }
              }));
    }

    /** How many bytes of the range come before those that are new. */
    private long ahead() {
      return content.offset() - content.from();
    }

    private void fill(ByteBuffer into, CompletionPort<Unit> filled) {
      if (!into.hasRemaining()) {
        filled.complete(Completion.done());
        return;
      }
      long left = ahead() - taken;
      if (left > 0) {
        copy(content.from() + taken, (int) Math.min(left, into.remaining()), into, filled);
      } else if (content.bytes().hasRemaining()) {
        int length = Math.min(content.bytes().remaining(), into.remaining());
        into.put(content.bytes().slice(content.bytes().position(), length));
        content.bytes().position(content.bytes().position() + length);
        taken += length;
        fill(into, filled);
      } else {
        copy(content.behind() - left - inserted, into.remaining(), into, filled);
      }
    }

    private void copy(long offset, int length, ByteBuffer into, CompletionPort<Unit> filled) {
      int limit = into.limit();
      into.limit(into.position() + length);
      read(
          content.map(),
          offset,
          into,
          filled.then(
              read -> {
                into.limit(limit);
                taken += length;
                fill(into, filled);
              }));
    }
  }

  private static boolean isZero(ByteBuffer bytes) {
    for (int i = 0; i < bytes.limit(); i++) {
      if (bytes.get(i) != 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * Fills a buffer with the content from an offset on.
   *
   * @param map how blocks make it up; null: they are the content
   */
  void read(@Nullable PieceMap map, long offset, ByteBuffer into, CompletionPort<Unit> port) {
    if (!into.hasRemaining()) {
      port.complete(Completion.done());
    } else if (map == null) {
      readAt(null, new PieceMap.Spot(offset, into.remaining()), offset, into, port);
    } else {
      maps.find(map, offset, port.then(spot -> readAt(map, spot, offset, into, port)));
    }
  }

  private void readAt(
      @Nullable PieceMap map,
      PieceMap.Spot spot,
      long offset,
      ByteBuffer into,
      CompletionPort<Unit> port) {
    int start = into.position();
    space.read(
        spot.at(),
        (int) Math.min(into.remaining(), spot.left()),
        into,
        port.then(read -> read(map, offset + into.position() - start, into, port)));
  }
}
