package dev.upcall.access;

import dev.upcall.base.Invariants;
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
 * Gives ranges of edited content new pieces: writes them to blocks that no piece names yet, with
 * what an edit brings, and then has the map say so. What goes into which piece others have planned;
 * why, it does not know. What shares a block with the bytes before a range comes along. One request
 * at a time; dispatcher's thread only.
 */
final class PieceEditor {
  private static final int BLOCK = Disk.BLOCK_BYTES;

  private final SegmentAccess access;
  private final RangeEditor editor;
  private final PieceCopy copies;
  private final MapLook maps;

  /** Changes the content of an editor. */
  PieceEditor(SegmentAccess access, RangeEditor editor, PieceCopy copies) {
    this.access = access;
    this.editor = editor;
    this.copies = copies;
    this.maps = new MapLook(access);
  }

  /**
   * What comes in the place of a range.
   *
   * @param before the map without it
   * @param gone the range
   * @param pieces what comes, in order
   */
  private record Coming(PieceMap before, PieceMap.Stretch gone, List<PieceMap.Piece> pieces) {}

  /** Does an edit: its bytes and what stays of the range around it get new places. */
  void edit(Gathering.Together together, Edit edit, ByteBuffer bytes, CompletionPort<Unit> port) {
    PieceMap.Stretch range = together.range();
    long space = range.bytes() + edit.inserted() + skippedBytes(together.runs());
    if (editor.isUsedUp(space, port)) {
      return;
    }
    CompletionPort<Unit> edited =
        port.then(
            done -> {
              access.meter().edited();
              port.complete(Completion.done());
            });
    maps.shared(
        editor.map(),
        range,
        port.then(
            shared -> {
              if (shared > 0 && edit.inserted() == 0 && range.bytes() == edit.removed()) {
                CutInBlock.run(access, editor, range, shared, port);
              } else {
                PieceCopy.Changed content =
                    new PieceCopy.Changed(
                        editor.map(), range.offset(), edit.offset(), bytes, edit.end());
                replace(range, shared, together.runs(), content, edited);
              }
            }));
  }

  /**
   * Copies a range to new places.
   *
   * @param runs bytes of the pieces that it becomes, in order; none: it becomes one
   */
  void gather(PieceMap.Stretch range, List<Long> runs, CompletionPort<Unit> port) {
    if (editor.isUsedUp(range.bytes() + skippedBytes(runs), port)) {
      return;
    }
    long end = range.offset() + range.bytes();
    PieceCopy.Changed content =
        new PieceCopy.Changed(editor.map(), range.offset(), end, ByteBuffer.allocate(0), end);
    maps.shared(
        editor.map(), range, port.then(shared -> replace(range, shared, runs, content, port)));
  }

  /** Block numbers that runs leave out, at most: each begins with a block, and not the next one. */
  private static long skippedBytes(List<Long> runs) {
    return 2L * runs.size() * BLOCK;
  }

  private void replace(
      PieceMap.Stretch range,
      int shared,
      List<Long> runs,
      PieceCopy.Changed content,
      CompletionPort<Unit> port) {
    PieceMap before = content.map();
    PieceMap.Stretch gone = new PieceMap.Stretch(range.offset(), range.bytes() + shared);
    long stays = gone.bytes() - (content.behind() - content.offset());
    long inserted = content.bytes().remaining();
    Coming coming = new Coming(before, gone, pieces(before, gone.offset(), stays + inserted, runs));
    CompletionPort<Unit> replaced =
        port.then(
            done -> {
              access.meter().copied(stays);
              port.complete(Completion.done());
            });
    maps.ownBlocks(
        before,
        gone,
        port.then(blocks -> copies.lay(content, coming.pieces(), sound(coming, blocks, replaced))));
  }

  /**
   * Where content comes in the place of a range.
   *
   * @param runs what is planned to be a piece each; of the last one there may be more
   */
  private static List<PieceMap.Piece> pieces(
      PieceMap before, long offset, long bytes, List<Long> runs) {
    List<PieceMap.Piece> pieces = new ArrayList<>();
    if (runs.isEmpty()) {
      if (bytes > 0) {
        pieces.add(new PieceMap.Piece(bytes, before.next(offset)));
      }
      return pieces;
    }
    long left = bytes;
    long end = before.spaceBytes();
    long ahead = offset == 0 ? 0 : before.find(offset - 1).at() + 1;
    for (int i = 0; i < runs.size(); i++) {
      long free = RangeCopy.roundedUp(end);
      // Where numbers follow each other, two pieces would be one.
      long from = free == ahead ? free + BLOCK : free;
      long length = i == runs.size() - 1 ? left : runs.get(i);
      pieces.add(new PieceMap.Piece(length, from));
      left -= length;
      end = from + length;
      ahead = end;
    }
    Invariants.check(
        pieces.getLast().bytes() - runs.getLast() < BLOCK && left == 0, "a plan of runs", runs);
    return pieces;
  }

  /**
   * A port for writing to new blocks that no piece names yet: then the map does. When that fails
   * and cannot be undone, the numbers are given out all the same: what was written there must never
   * be met.
   */
  private CompletionPort<Unit> sound(
      Coming coming, List<LayoutEditor.Range> blocks, CompletionPort<Unit> port) {
    PieceMap before = coming.before();
    return completion -> {
      if (completion instanceof Completion.Done<Unit>) {
        editor.become(before.withAll(coming.gone(), coming.pieces()), blocks);
      } else if (editor.space().hasSpilled()) {
        long from = PrivateContent.blocks(before.spaceBytes());
        editor.space().drop(List.of(new LayoutEditor.Range(from, Long.MAX_VALUE)));
        coming.pieces().forEach(piece -> editor.skip(piece.end()));
      }
      port.complete(completion);
    };
  }
}
