package dev.upcall.access;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.LeaseOwner;
import dev.upcall.segment.LayoutEditor;
import dev.upcall.segment.PieceMap;
import dev.upcall.segment.PinnedContent;
import dev.upcall.txn.EditFault;
import dev.upcall.txn.SegmentAccess;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is done to one version of a segment's content, in private: ranges that are written, cut off,
 * or put in the place of others. One operation at a time; dispatcher's thread only.
 *
 * <p>An edit in the middle moves nothing: its bytes go to new blocks behind the block space, and
 * the {@link PieceMap} says where they come in. What shares a block with the bytes before it goes
 * along (as in EOS, with a threshold of one block). Near the end the rest is written anew instead.
 * What would leave too many pieces before a commit first copies the smallest neighbours together;
 * with the commit, those that have no room in the inode are folded into the map's tree.
 */
final class RangeEditor {
  private final SegmentAccess access;
  private final PrivateSpace space;
  private final MapLook maps;
  private final List<LayoutEditor.Range> removed = new ArrayList<>();
  private @Nullable PieceMap pieces;
  private long sizeBytes;

  /** Edits a version, which is closed with this. */
  RangeEditor(SegmentAccess access, LeaseOwner owner, PinnedContent base) {
    this.access = access;
    this.space = new PrivateSpace(access, owner, base.space());
    this.maps = new MapLook(access);
    this.pieces = begun(base.inode().layout().pieces(), access);
    this.sizeBytes = base.inode().size();
  }

  /** The map; in stores that are broken on purpose, without what was given out behind it. */
  private static @Nullable PieceMap begun(@Nullable PieceMap map, SegmentAccess access) {
    return map != null && access.faults().has(EditFault.NUMBER_GIVEN_AGAIN)
        ? map.forgetting()
        : map;
  }

  /** The content's size with all that was done. */
  long sizeBytes() {
    return sizeBytes;
  }

  /** How blocks make up the content with all that was done. */
  @Nullable PieceMap pieces() {
    return pieces;
  }

  /** The blocks that some edit took out of the content, of the version edited or newer. */
  List<LayoutEditor.Range> removed() {
    return removed;
  }

  /** The blocks with all that was done. */
  PrivateSpace space() {
    return space;
  }

  // ------------------------------------------------------------------ writing

  /** Hears of each part of a write that is done. */
  private interface Done {
    void part(long offset, ByteBuffer copy);
  }

  /** Writes a range; zeros come between the end and a range behind it. */
  void write(long offset, ByteBuffer bytes, boolean append, CompletionPort<Unit> port) {
    put(
        offset,
        bytes,
        (at, copy) -> space.did(new Patches.Operation.Write(at, copy, append)),
        port);
  }

  private void put(long offset, ByteBuffer bytes, Done done, CompletionPort<Unit> port) {
    if (!bytes.hasRemaining()) {
      port.complete(Completion.done());
      return;
    }
    if (isUsedUp(offset + bytes.remaining() - sizeBytes, port)) {
      return;
    }
    int most = Math.min(bytes.remaining(), access.writers().pieceBytes());
    if (offset + most > sizeBytes && lacksRoom()) {
      makeRoom(port.then(made -> put(offset, bytes, done, port)));
      return;
    }
    PieceMap before = pieces;
    if (before == null) {
      putAt(new PieceMap.Spot(offset, most), offset, bytes, done, port);
    } else {
      maps.find(
          before.grown(offset + most),
          offset,
          port.then(spot -> putAt(spot, offset, bytes, done, port)));
    }
  }

  private void putAt(
      PieceMap.Spot spot, long offset, ByteBuffer bytes, Done done, CompletionPort<Unit> port) {
    PieceMap before = pieces;
    ByteBuffer copy = space.some(bytes, spot.left());
    int length = copy.remaining();
    space.lay(
        spot.at(),
        copy,
        port.then(
            laid -> {
              bytes.position(bytes.position() + length);
              pieces = before == null ? null : before.grown(offset + length);
              sizeBytes = Math.max(sizeBytes, offset + length);
              done.part(offset, copy);
              space.spillIfMuch(port.then(rest -> put(offset + length, bytes, done, port)));
            }));
  }

  // ------------------------------------------------------------------ setting the size

  /** Sets the size. */
  void truncate(long newSizeBytes, CompletionPort<Unit> port) {
    resize(
        newSizeBytes,
        port.then(
            done -> {
              space.did(new Patches.Operation.Truncate(newSizeBytes));
              port.complete(Completion.done());
            }));
  }

  private void resize(long newSizeBytes, CompletionPort<Unit> port) {
    PieceMap before = pieces;
    if (newSizeBytes < sizeBytes && (before == null || newSizeBytes == 0)) {
      // Nothing is left of a map where nothing is left of the content.
      pieces = null;
      sizeBytes = newSizeBytes;
      space.cutOff(newSizeBytes, port);
      return;
    }
    if (isUsedUp(newSizeBytes - sizeBytes, port)) {
      return;
    }
    if (newSizeBytes > sizeBytes && lacksRoom()) {
      makeRoom(port.then(made -> resize(newSizeBytes, port)));
      return;
    }
    if (before != null && newSizeBytes < sizeBytes) {
      PieceMap.Stretch gone = new PieceMap.Stretch(newSizeBytes, sizeBytes - newSizeBytes);
      maps.ownBlocks(
          before,
          gone,
          port.then(
              blocks -> {
                become(before.with(gone, null), blocks);
                port.complete(Completion.done());
              }));
      return;
    }
    if (before != null && newSizeBytes > sizeBytes) {
      pieces = before.grown(newSizeBytes);
    }
    sizeBytes = newSizeBytes;
    port.complete(Completion.done());
  }

  // ------------------------------------------------------------------ edits in the middle

  /** Puts bytes in the place of a range, which ends within the content. */
  void splice(long offset, long removed, ByteBuffer bytes, CompletionPort<Unit> port) {
    // More will have spilled in the end, and is not done again.
    boolean isKept = bytes.remaining() <= access.writers().spillBytes();
    ByteBuffer kept = PrivateSpace.copy(bytes, isKept ? bytes.remaining() : 0);
    CompletionPort<Unit> remembered =
        port.then(
            done -> {
              space.did(new Patches.Operation.Splice(offset, removed, kept));
              port.complete(Completion.done());
            });
    long tail = sizeBytes - offset - removed;
    if (removed == bytes.remaining()) {
      put(offset, bytes, (at, copy) -> {}, remembered);
    } else if (tail <= access.edits().tailBytes()) {
      rewriteTail(offset, bytes, (int) tail, remembered);
    } else {
      editMap(new PieceMap.Stretch(offset, removed), bytes, remembered);
    }
  }

  private void rewriteTail(long offset, ByteBuffer bytes, int tail, CompletionPort<Unit> port) {
    ByteBuffer rest = ByteBuffer.allocate(tail);
    long behind = offset + bytes.remaining();
    read(
        sizeBytes - tail,
        rest,
        port.then(
            read ->
                put(
                    offset,
                    bytes,
                    (at, copy) -> {},
                    port.then(
                        written ->
                            put(
                                behind,
                                rest.flip(),
                                (at, copy) -> {},
                                port.then(all -> shrink(behind + tail, port)))))));
  }

  private void shrink(long toBytes, CompletionPort<Unit> port) {
    if (toBytes < sizeBytes) {
      resize(toBytes, port);
    } else {
      port.complete(Completion.done());
    }
  }

  private void editMap(PieceMap.Stretch range, ByteBuffer bytes, CompletionPort<Unit> port) {
    if (isUsedUp(bytes.remaining(), port)) {
      return;
    }
    if (lacksRoom()) {
      makeRoom(port.then(made -> editMap(range, bytes, port)));
      return;
    }
    PieceMap before = map();
    maps.shared(
        before,
        range,
        port.then(
            shared -> {
              PieceMap.Stretch gone = new PieceMap.Stretch(range.offset(), range.bytes() + shared);
              maps.ownBlocks(
                  before,
                  gone,
                  port.then(
                      blocks -> {
                        Replaced replaced = new Replaced(before, gone, blocks);
                        replace(replaced, bytes, ByteBuffer.allocate(shared), port);
                      }));
            }));
  }

  /**
   * A range of the content that something else comes for.
   *
   * @param before the map with it
   * @param gone the range
   * @param blocks those that no piece names without it
   */
  private record Replaced(
      PieceMap before, PieceMap.Stretch gone, List<LayoutEditor.Range> blocks) {}

  /** Puts bytes, and behind them the last of the range, which shared a block, in its place. */
  private void replace(
      Replaced replaced, ByteBuffer bytes, ByteBuffer rest, CompletionPort<Unit> port) {
    PieceMap before = replaced.before();
    PieceMap.Stretch gone = replaced.gone();
    PieceMap.Piece added =
        new PieceMap.Piece(bytes.remaining() + rest.remaining(), before.next(gone.offset()));
    CompletionPort<Unit> laid =
        sound(
            added,
            port.then(
                done -> {
                  PieceMap.Piece coming = added.bytes() == 0 ? null : added;
                  become(before.with(gone, coming), replaced.blocks());
                  port.complete(Completion.done());
                }),
            port);
    long behind = added.from() + bytes.remaining();
    read(
        gone.offset() + gone.bytes() - rest.remaining(),
        rest,
        laid.then(
            read ->
                space.layAll(
                    added.from(),
                    bytes,
                    laid.then(all -> space.layAll(behind, rest.flip(), laid)))));
  }

  private PieceMap map() {
    PieceMap present = pieces;
    return present == null ? PieceMap.whole(sizeBytes) : present;
  }

  /** The content is made by another map from now on; blocks that it does not name go. */
  private void become(PieceMap after, List<LayoutEditor.Range> blocks) {
    space.drop(blocks);
    removed.addAll(blocks);
    pieces = after;
    sizeBytes = after.sizeBytes();
  }

  /**
   * A port for writing to new blocks that no piece names yet. When that fails and cannot be undone,
   * the numbers are given out all the same: what was written there must never be met.
   */
  private CompletionPort<Unit> sound(
      PieceMap.Piece added, CompletionPort<Unit> done, CompletionPort<Unit> failed) {
    PieceMap before = map();
    return completion -> {
      if (completion instanceof Completion.Done<Unit>) {
        done.complete(completion);
        return;
      }
      if (space.hasSpilled()) {
        long from = PrivateContent.blocks(before.spaceBytes());
        space.drop(List.of(new LayoutEditor.Range(from, Long.MAX_VALUE)));
        pieces = before.skipping(added.end());
      }
      failed.complete(completion);
    };
  }

  /** Tells who wants more block numbers than are left; none is ever given out again. */
  private boolean isUsedUp(long moreBytes, CompletionPort<Unit> port) {
    PieceMap present = pieces;
    if (present == null || moreBytes <= 0 || present.hasSpace(moreBytes)) {
      return false;
    }
    port.complete(
        Completion.failed(
            new Failure.Invalid(
                "growing and editing have used up the block numbers of this file, which has %d bytes; write it anew"
                    .formatted(sizeBytes))));
    return true;
  }

  // ------------------------------------------------------------------ few pieces

  private boolean lacksRoom() {
    PieceMap present = pieces;
    return present != null && !access.edits().hasRoom(present);
  }

  /** Copies the smallest neighbours together, so that they are one piece, until there is room. */
  private void makeRoom(CompletionPort<Unit> port) {
    if (!lacksRoom()) {
      port.complete(Completion.done());
      return;
    }
    PieceMap before = map();
    PieceMap.Stretch least = before.cheapestMerge();
    if (isUsedUp(least.bytes(), port)) {
      return;
    }
    maps.ownBlocks(
        before,
        least,
        port.then(blocks -> copyTogether(new Replaced(before, least, blocks), port)));
  }

  private void copyTogether(Replaced replaced, CompletionPort<Unit> port) {
    PieceMap before = replaced.before();
    PieceMap.Stretch least = replaced.gone();
    PieceMap.Piece together = new PieceMap.Piece(least.bytes(), before.next(least.offset()));
    CompletionPort<Unit> copied =
        sound(
            together,
            port.then(
                done -> {
                  become(before.with(least, together), replaced.blocks());
                  access.reader().dispatcher().post(() -> makeRoom(port));
                }),
            port);
    copyTo(least.offset(), together.from(), together.end(), copied);
  }

  private void copyTo(long offset, long at, long end, CompletionPort<Unit> port) {
    if (at == end) {
      port.complete(Completion.done());
      return;
    }
    int length = (int) Math.min(end - at, access.writers().pieceBytes());
    ByteBuffer some = ByteBuffer.allocate(length);
    CompletionPort<Unit> next = port.then(laid -> copyTo(offset + length, at + length, end, port));
    read(
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

  /** Fills a buffer with the content from an offset on. */
  private void read(long offset, ByteBuffer into, CompletionPort<Unit> port) {
    if (!into.hasRemaining()) {
      port.complete(Completion.done());
      return;
    }
    PieceMap present = pieces;
    if (present == null) {
      readAt(new PieceMap.Spot(offset, into.remaining()), offset, into, port);
    } else {
      maps.find(present, offset, port.then(spot -> readAt(spot, offset, into, port)));
    }
  }

  private void readAt(PieceMap.Spot spot, long offset, ByteBuffer into, CompletionPort<Unit> port) {
    int start = into.position();
    space.read(
        spot.at(),
        (int) Math.min(into.remaining(), spot.left()),
        into,
        port.then(read -> read(offset + into.position() - start, into, port)));
  }
}
