package dev.upcall.access;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.segment.PieceMap;
import dev.upcall.txn.SegmentAccess;
import java.nio.ByteBuffer;
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

  /** Copies content from an offset on to the bytes [at, end) of the block space, new ones. */
  void copy(PieceMap map, long offset, PieceMap.Piece to, CompletionPort<Unit> port) {
    copyTo(map, offset, to.from(), to.end(), port);
  }

  private void copyTo(PieceMap map, long offset, long at, long end, CompletionPort<Unit> port) {
    if (at == end) {
      port.complete(Completion.done());
      return;
    }
    int length = (int) Math.min(end - at, access.writers().pieceBytes());
    ByteBuffer some = ByteBuffer.allocate(length);
    CompletionPort<Unit> next =
        port.then(laid -> copyTo(map, offset + length, at + length, end, port));
    read(
        map,
        offset,
        some,
        port.then(
            read -> {
              some.flip();
              if (isZero(some)) {
                // New blocks are holes, which stay holes.
                next.complete(Completion.done());
              } else {
                space.lay(at, some, port.then(laid -> space.spillIfMuch(next)));
              }
            }));
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
