package dev.upcall.access;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.EditPolicy;
import dev.upcall.content.LeaseOwner;
import dev.upcall.edit.Edit;
import dev.upcall.edit.EditPlanner;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.layout.LayoutEditor;
import dev.upcall.segment.layout.PieceMap;
import dev.upcall.space.Reserve;
import dev.upcall.txn.EditFault;
import dev.upcall.txn.SegmentAccess;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is done to one version of a segment's content, in private: ranges that are written, cut off,
 * or put in the place of others. One operation at a time; dispatcher's thread only.
 *
 * <p>An edit in the middle moves nothing: its bytes go to new blocks behind the block space, and
 * the {@link PieceMap} says where they come in. What shares a block with the bytes before it goes
 * along (of a cut it stays: {@link CutInBlock}), and what the file's policy wants to be copied with
 * them ({@link Gathering}): all of it at once, in the commit of the edit. Near the end the rest is
 * written anew instead. What would leave too many pieces before a commit first copies the smallest
 * neighbours together; with the commit, those that have no room in the inode are folded into the
 * map's tree.
 */
final class RangeEditor {
  /** What a cut writes at most: the rest of a block, or a short tail and zeros behind it. */
  private static final int MOST_CUT_BLOCKS = 2;

  private final SegmentAccess access;
  private final PrivateSpace space;
  private final MapLook maps;
  private final PieceCopy copies;
  private final Optional<EditPlanner> policy;
  private final PieceEditor pieceEditor;
  private final List<LayoutEditor.Range> removed = new ArrayList<>();
  private @Nullable PieceMap pieces;
  private final int begunPieces;
  private final long begunBytes;
  private long sizeBytes;
  private long cuts;
  private final UnusedBytes unused = new UnusedBytes();
  private boolean changed;
  private boolean gathered;

  /** Whether no policy copies anything for a cut, and whether one has. */
  private final boolean sparing;

  private boolean copiedForCut;

  /**
   * Edits a version, which is closed with this.
   *
   * @param sparing whether no policy copies anything for a cut: there is no room for that
   */
  RangeEditor(SegmentAccess access, LeaseOwner owner, PinnedContent base, boolean sparing) {
    this.access = access;
    this.sparing = sparing;
    this.space = new PrivateSpace(access, owner, base.space());
    this.maps = new MapLook(access);
    this.copies = new PieceCopy(access, space, maps);
    this.policy = Gathering.planner(EditPolicy.of(base.inode().attributes()));
    this.pieceEditor = new PieceEditor(access, this, copies);
    this.pieces = begun(base.inode().layout().pieces(), access);
    this.begunPieces = pieces == null ? 1 : pieces.pieces().size();
    this.begunBytes = base.inode().size();
    this.sizeBytes = begunBytes;
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

  /** Whether it has so many bytes from an offset on; neither is negative. */
  boolean has(long offset, long bytes) {
    return access.faults().has(EditFault.SUM_OVERFLOWS)
        ? offset + bytes <= sizeBytes
        : offset <= sizeBytes && bytes <= sizeBytes - offset;
  }

  /** Whether it is the content that it was, wherever it lies. */
  boolean isAsItWas() {
    return !changed;
  }

  /** Whether nothing at all was done. */
  boolean isUntouched() {
    return !changed && !gathered;
  }

  /** How blocks make up the content with all that was done. */
  @Nullable PieceMap pieces() {
    return pieces;
  }

  /** Whether a policy has copied something for a cut, without which that is done as well. */
  boolean hasCopiedForCut() {
    return copiedForCut;
  }

  /** Whether the content gets smaller, and next to nothing is written for that. */
  boolean isCut() {
    return sizeBytes < begunBytes && space.content().writtenBlocks() <= MOST_CUT_BLOCKS * cuts;
  }

  /** Gives all that is collected a place on the volume. */
  void spill(CompletionPort<Unit> port) {
    space.spill(isCut() ? Reserve.CUT : Reserve.NORMAL, port);
  }

  /** What was made of the content. */
  MadeContent made() {
    return new MadeContent(sizeBytes, pieces, removed, unused.bytes(), isCut());
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
    changed = true;
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
    ByteBuffer copy = space.some(bytes, spot.left());
    int length = copy.remaining();
    space.lay(
        spot.at(),
        copy,
        port.then(
            laid -> {
              bytes.position(bytes.position() + length);
              grow(offset + length);
              sizeBytes = Math.max(sizeBytes, offset + length);
              done.part(offset, copy);
              space.spillIfMuch(port.then(rest -> put(offset + length, bytes, done, port)));
            }));
  }

  /** Where there is a map, it has so many bytes at least. */
  private void grow(long toBytes) {
    PieceMap before = pieces;
    if (before != null && toBytes > sizeBytes) {
      PieceMap after = before.grown(toBytes);
      unused.becomes(before, sizeBytes, after, List.of());
      pieces = after;
    }
  }

  // ------------------------------------------------------------------ setting the size

  /** Sets the size. */
  void truncate(long newSizeBytes, CompletionPort<Unit> port) {
    changed = true;
    cuts++;
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
      unused.ends(before);
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
    grow(newSizeBytes);
    sizeBytes = newSizeBytes;
    port.complete(Completion.done());
  }

  // ------------------------------------------------------------------ edits in the middle

  /** Puts bytes in the place of a range, which ends within the content. */
  void splice(long offset, long removed, ByteBuffer bytes, CompletionPort<Unit> port) {
    changed = true;
    cuts += bytes.remaining() < removed ? 1 : 0;
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
    copies.read(
        pieces,
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
    Edit edit = new Edit(range.offset(), range.bytes(), bytes.remaining());
    around(edit, port.then(together -> pieceEditor.edit(together, edit, bytes, port)));
  }

  /** Asks the file's policy what gets a new place with an edit of content that is not empty. */
  void around(Edit edit, CompletionPort<Gathering.Together> port) {
    boolean isCut = edit.inserted() == 0;
    CompletionPort<Gathering.Together> noted =
        port.then(
            together -> {
              copiedForCut |= isCut && together.range().bytes() > edit.removed();
              port.complete(Completion.done(together));
            });
    Gathering.around(access, map(), edit, isCut && sparing ? Optional.empty() : policy, noted);
  }

  /** Content of fewer bytes the file's policy does not leave in a piece of its own. */
  long leastBytes() {
    return policy.map(planner -> planner.geometry().bytes(planner.leastBlocks())).orElse(0L);
  }

  /** Blocks behind all others are the next so many bytes of content that is its block space. */
  void follow(long bytes) {
    Invariants.check(pieces == null, "blocks that follow a map, of bytes", bytes);
    sizeBytes += bytes;
  }

  /** The map, of content without one that which it would have; there is some. */
  PieceMap map() {
    PieceMap present = pieces;
    return present == null ? PieceMap.whole(sizeBytes) : present;
  }

  /** The content is made by another map from now on; blocks that it does not name go. */
  void become(PieceMap after, List<LayoutEditor.Range> blocks) {
    unused.becomes(pieces, sizeBytes, after, blocks);
    space.pending(Math.max(0, after.pieces().size() - begunPieces));
    space.drop(blocks);
    removed.addAll(blocks);
    pieces = after;
    sizeBytes = after.sizeBytes();
  }

  /** Block numbers up to there are given out, although nothing came of what was written there. */
  void skip(long toBytes) {
    PieceMap after = map().skipping(toBytes);
    unused.becomes(pieces, sizeBytes, after, List.of());
    pieces = after;
  }

  /** Tells who wants more block numbers than are left; none is ever given out again. */
  boolean isUsedUp(long moreBytes, CompletionPort<Unit> port) {
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

  // ------------------------------------------------------------------ lying together

  /**
   * Copies a range to places that follow each other, unless it is in one piece; of the piece in
   * which it begins, if that goes on before it, nothing: it may be what was gathered last.
   */
  void gather(long offset, long lengthBytes, CompletionPort<Unit> port) {
    PieceMap before = pieces;
    long length = Math.min(lengthBytes, sizeBytes - offset);
    if (before == null || length <= 0) {
      port.complete(Completion.done());
      return;
    }
    maps.around(
        before,
        offset,
        port.then(
            piece -> {
              long end = piece.offset() + piece.bytes();
              if (end >= offset + length) {
                port.complete(Completion.done());
                return;
              }
              gathered = true;
              long from = piece.offset() < offset ? end : offset;
              gather(
                  new PieceMap.Stretch(from, offset + length - from),
                  List.of(),
                  port.then(
                      done -> {
                        space.did(new Patches.Operation.Gather(offset, lengthBytes));
                        port.complete(Completion.done());
                      }));
            }));
  }

  /**
   * Copies a range to new places, as a part of what else is done.
   *
   * @param runs bytes of the pieces that it becomes, in order; none: it becomes one
   */
  void gather(PieceMap.Stretch range, List<Long> runs, CompletionPort<Unit> port) {
    if (lacksRoom()) {
      makeRoom(port.then(made -> gather(range, runs, port)));
    } else {
      pieceEditor.gather(range, runs, port);
    }
  }

  // ------------------------------------------------------------------ few pieces

  boolean lacksRoom() {
    PieceMap present = pieces;
    return present != null && !access.edits().hasRoom(present);
  }

  /** Copies the smallest neighbours together, so that they are one piece, until there is room. */
  void makeRoom(CompletionPort<Unit> port) {
    if (!lacksRoom()) {
      port.complete(Completion.done());
      return;
    }
    CompletionPort<Unit> again =
        port.then(done -> access.reader().dispatcher().post(() -> makeRoom(port)));
    pieceEditor.gather(map().cheapestMerge(), List.of(), again);
  }

  /** Fills a buffer with the content from an offset on. */
  void read(long offset, ByteBuffer into, CompletionPort<Unit> port) {
    copies.read(pieces, offset, into, port);
  }
}
