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
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is done to one version of a segment's content, in private: ranges that are written, cut off,
 * or put in the place of others. One operation at a time; dispatcher's thread only.
 *
 * <p>An edit in the middle moves nothing: its bytes go to new blocks behind the block space, and
 * the {@link PieceMap} says where they come in. What shares a block with the bytes before it goes
 * along (as in EOS, with a threshold of one block). Near the end the rest is written anew instead,
 * and what would leave too many pieces first copies the smallest neighbours together.
 */
final class RangeEditor {
  private final SegmentAccess access;
  private final PrivateSpace space;
  private @Nullable PieceMap pieces;
  private long sizeBytes;

  /** Edits a version, which is closed with this. */
  RangeEditor(SegmentAccess access, LeaseOwner owner, PinnedContent base) {
    this.access = access;
    this.space = new PrivateSpace(access, owner, base.space());
    this.pieces = begun(base.inode().layout().pieces(), access);
    this.sizeBytes = base.inode().size();
  }

  /** The map; in stores that are broken on purpose, without what was given out behind it. */
  private static @Nullable PieceMap begun(@Nullable PieceMap map, SegmentAccess access) {
    if (map == null || !access.faults().has(EditFault.NUMBER_GIVEN_AGAIN)) {
      return map;
    }
    long end = map.pieces().stream().mapToLong(PieceMap.Piece::end).max().orElseThrow();
    return PieceMap.of(end, map.pieces());
  }

  /** The content's size with all that was done. */
  long sizeBytes() {
    return sizeBytes;
  }

  /** How blocks make up the content with all that was done. */
  @Nullable PieceMap pieces() {
    return pieces;
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
    PieceMap.Spot spot =
        before == null ? new PieceMap.Spot(offset, most) : before.grown(offset + most).find(offset);
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
    if (before != null && newSizeBytes > sizeBytes) {
      pieces = before.grown(newSizeBytes);
    } else if (before != null && newSizeBytes < sizeBytes) {
      become(before.with(new PieceMap.Stretch(newSizeBytes, sizeBytes - newSizeBytes), null));
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

  private void editMap(PieceMap.Stretch removed, ByteBuffer bytes, CompletionPort<Unit> port) {
    if (isUsedUp(bytes.remaining(), port)) {
      return;
    }
    if (lacksRoom()) {
      makeRoom(port.then(made -> editMap(removed, bytes, port)));
      return;
    }
    PieceMap before = map();
    ByteBuffer rest = ByteBuffer.allocate(before.shared(removed));
    PieceMap.Stretch gone =
        new PieceMap.Stretch(removed.offset(), removed.bytes() + rest.remaining());
    PieceMap.Piece added =
        new PieceMap.Piece(bytes.remaining() + rest.remaining(), before.next(removed.offset()));
    CompletionPort<Unit> laid =
        sound(
            added,
            port.then(
                done -> {
                  become(before.with(gone, added.bytes() == 0 ? null : added));
                  port.complete(Completion.done());
                }),
            port);
    long behind = added.from() + bytes.remaining();
    read(
        removed.offset() + removed.bytes(),
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
  private void become(PieceMap after) {
    space.drop(PieceMap.without(PieceMap.blocks(pieces, sizeBytes), after.blocks()));
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
    PieceMap.Piece together = new PieceMap.Piece(least.bytes(), before.next(least.offset()));
    CompletionPort<Unit> copied =
        sound(
            together,
            port.then(
                done -> {
                  become(before.with(least, together));
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
    PieceMap.Spot spot =
        present == null ? new PieceMap.Spot(offset, into.remaining()) : present.find(offset);
    int start = into.position();
    space.read(
        spot.at(),
        (int) Math.min(into.remaining(), spot.left()),
        into,
        port.then(read -> read(offset + into.position() - start, into, port)));
  }
}
