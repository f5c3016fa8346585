package dev.upcall.access;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.edit.Edit;
import dev.upcall.io.Disk;
import dev.upcall.segment.PieceMap;
import dev.upcall.txn.SegmentAccess;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads private content by a map of pieces, and copies it to blocks that no piece names yet. One
 * request at a time; dispatcher's thread only.
 */
final class PieceCopy {
  /** No more is put together in memory before it is laid: an edit of a block, and of a rest. */
  private static final int MOST_TOGETHER_BYTES = 2 * Disk.BLOCK_BYTES;

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

  /**
   * Lays bytes, with what is around them in a range of the content and stays, to new bytes of the
   * block space. What is little is laid at once, so that a block is made once and logged once.
   *
   * @param from where in the content the range begins; it ends as far behind the edit as the place
   *     of all of it says
   * @param to the place of all of it
   */
  void copyAround(
      PieceMap map,
      long from,
      Edit edit,
      ByteBuffer bytes,
      PieceMap.Piece to,
      CompletionPort<Unit> port) {
    long ahead = edit.offset() - from;
    int most = Math.min(MOST_TOGETHER_BYTES, access.writers().pieceBytes());
    if (edit.inserted() > 0 && to.bytes() <= most) {
      ByteBuffer all = ByteBuffer.allocate((int) to.bytes());
      CompletionPort<Unit> whole =
          port.then(
              read -> space.lay(to.from(), all.flip(), port.then(laid -> space.spillIfMuch(port))));
      read(
          map,
          from,
          all.limit((int) ahead),
          port.then(read -> read(map, edit.end(), all.limit(all.capacity()).put(bytes), whole)));
      return;
    }
    long at = to.from() + ahead;
    long behind = at + edit.inserted();
    copyTo(
        map,
        from,
        to.from(),
        at,
        port.then(
            copied ->
                space.layAll(
                    at,
                    bytes,
                    port.then(laid -> copyTo(map, edit.end(), behind, to.end(), port)))));
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
