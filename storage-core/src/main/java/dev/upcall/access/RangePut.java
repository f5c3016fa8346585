package dev.upcall.access;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.edit.Edit;
import dev.upcall.io.Disk;
import dev.upcall.segment.layout.LayoutEditor;
import dev.upcall.segment.layout.PieceMap;
import dev.upcall.txn.SegmentAccess;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts a range of some content in the place of a range of edited content, which ends within it. A
 * few bytes are read and written anew; more are laid behind the block space ({@link RangeCopy}),
 * and the map says where they come in. Blocks that follow each other in both need no map. The
 * policy of the edited content is asked what is copied together on either side. When it fails, the
 * edited content must not be used any more. Dispatcher's thread only.
 */
final class RangePut {
  private final SegmentAccess access;
  private final RangeEditor editor;
  private final RangeSource source;
  private final PieceMap.Stretch range;
  private final PieceMap.Stretch removed;
  private final CompletionPort<Unit> port;
  private final MapLook maps;

  /** What comes, of the source, and what it comes in the place of. */
  record Ranges(PieceMap.Stretch coming, PieceMap.Stretch removed) {}

  RangePut(
      SegmentAccess access,
      RangeEditor editor,
      RangeSource source,
      Ranges ranges,
      CompletionPort<Unit> port) {
    this.access = access;
    this.editor = editor;
    this.source = source;
    this.range = ranges.coming();
    this.removed = ranges.removed();
    this.port = port;
    this.maps = new MapLook(access);
  }

  void run() {
    if (isSmall() || source.isInline()) {
      ByteBuffer bytes = ByteBuffer.allocate((int) range.bytes());
      source.read(
          range.offset(),
          bytes,
          port.then(read -> editor.splice(removed.offset(), removed.bytes(), bytes.flip(), port)));
    } else if (editor.sizeBytes() == 0 || isAlike()) {
      share();
    } else {
      gatherBefore();
    }
  }

  private boolean isSmall() {
    return range.bytes() <= access.edits().tailBytes()
        || range.bytes() < editor.leastBytes() && !isAlike();
  }

  /** What is shared is not copied, so each side is on its own: as if all else were cut off. */
  private void gatherBefore() {
    long offset = removed.offset();
    long size = editor.sizeBytes();
    if (offset == 0 || offset == size) {
      gatherBehind();
      return;
    }
    editor.around(
        new Edit(offset, size - offset, /* inserted= */ 0),
        port.then(
            together -> {
              long from = together.range().offset();
              PieceMap.Stretch side = new PieceMap.Stretch(from, offset - from);
              gather(side, together.runs(), port.then(done -> gatherBehind()));
            }));
  }

  private void gatherBehind() {
    long offset = removed.offset() + removed.bytes();
    if (offset == 0 || offset == editor.sizeBytes()) {
      share();
      return;
    }
    editor.around(
        new Edit(0, offset, /* inserted= */ 0),
        port.then(
            together -> {
              long end = together.range().offset() + together.range().bytes();
              PieceMap.Stretch side = new PieceMap.Stretch(offset, end - offset);
              gather(side, together.runs(), port.then(done -> share()));
            }));
  }

  /** What is in one piece stays where it is. */
  private void gather(PieceMap.Stretch side, List<Long> runs, CompletionPort<Unit> done) {
    if (side.bytes() == 0) {
      done.complete(Completion.done());
      return;
    }
    maps.around(
        editor.map(),
        side.offset(),
        done.then(
            piece -> {
              if (piece.offset() + piece.bytes() >= side.offset() + side.bytes()) {
                done.complete(Completion.done());
              } else {
                editor.gather(side, runs, done);
              }
            }));
  }

  private void share() {
    if (editor.lacksRoom()) {
      editor.makeRoom(port.then(made -> share()));
    } else if (!editor.isUsedUp(range.bytes() + RangeCopy.MOST_SKIPPED_BYTES, port)) {
      boolean isAlike = isAlike();
      long end = PieceMap.spaceBytes(editor.pieces(), editor.sizeBytes());
      new RangeCopy(access, editor, source, range, port.then(made -> take(made, isAlike)))
          .start(RangeCopy.roundedUp(end), isAlike);
    }
  }

  /** Whether whole blocks come behind whole blocks, and both need no map. */
  private boolean isAlike() {
    return editor.pieces() == null
        && source.pieces() == null
        && removed.offset() == editor.sizeBytes()
        && editor.sizeBytes() % Disk.BLOCK_BYTES == 0
        && range.offset() % Disk.BLOCK_BYTES == 0;
  }

  /** Makes what was laid content. */
  private void take(RangeCopy.Made made, boolean isAlike) {
    if (isAlike) {
      editor.follow(range.bytes());
      port.complete(Completion.done());
    } else if (editor.sizeBytes() == 0) {
      editor.become(PieceMap.made(made.pieces()).skipping(made.endBytes()), List.of());
      port.complete(Completion.done());
    } else {
      PieceMap before = editor.map();
      maps.shared(before, removed, port.then(shared -> replace(made, before, shared)));
    }
  }

  /** What shares a block with bytes before the range comes along, behind what was laid. */
  private void replace(RangeCopy.Made made, PieceMap before, int shared) {
    PieceMap.Stretch gone = new PieceMap.Stretch(removed.offset(), removed.bytes() + shared);
    ByteBuffer rest = ByteBuffer.allocate(shared);
    maps.ownBlocks(
        before,
        gone,
        port.then(
            blocks ->
                editor.read(
                    gone.offset() + gone.bytes() - shared,
                    rest,
                    port.then(read -> replace(made, gone, blocks, rest.flip())))));
  }

  private void replace(
      RangeCopy.Made made,
      PieceMap.Stretch gone,
      List<LayoutEditor.Range> blocks,
      ByteBuffer rest) {
    List<PieceMap.Piece> coming = new ArrayList<>(made.pieces());
    if (rest.hasRemaining()) {
      coming.add(new PieceMap.Piece(rest.remaining(), made.endBytes()));
    }
    editor
        .space()
        .layAll(
            made.endBytes(),
            rest,
            port.then(
                laid -> {
                  PieceMap after = editor.map().withAll(gone, coming);
                  editor.become(after.skipping(made.endBytes()), blocks);
                  port.complete(Completion.done());
                }));
  }
}
