package dev.upcall.access;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.segment.layout.PieceMap;
import dev.upcall.txn.SegmentAccess;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Takes a range out of content that begins and ends within one block. The rest of the block moves
 * up in it, and what the map leaves out ends where the block does, or its piece:
 *
 * <pre>
 *  block before   [ aaaa | range | rest ]      aaaa: stays
 *  block after    [ aaaa | rest | . . . ]      one piece ends behind rest, the next begins behind the block
 * </pre>
 *
 * <p>So a cut needs no block number, and no more blocks than the file has already, however often:
 * what a full volume has to keep for it is the room of one block until a checkpoint has freed the
 * old one. Dispatcher's thread only.
 */
final class CutInBlock {
  private final SegmentAccess access;
  private final RangeEditor editor;
  private final PieceMap.Stretch range;
  private final int restBytes;
  private final CompletionPort<Unit> port;

  private CutInBlock(
      SegmentAccess access,
      RangeEditor editor,
      PieceMap.Stretch range,
      int restBytes,
      CompletionPort<Unit> port) {
    this.access = access;
    this.editor = editor;
    this.range = range;
    this.restBytes = restBytes;
    this.port = port;
  }

  /**
   * Cuts. When it fails, nothing was done, or all but giving what was written a place.
   *
   * @param restBytes what {@link PieceMap#shared} says of the range; not 0
   */
  static void run(
      SegmentAccess access,
      RangeEditor editor,
      PieceMap.Stretch range,
      int restBytes,
      CompletionPort<Unit> port) {
    new CutInBlock(access, editor, range, restBytes, port).find();
  }

  private void find() {
    new MapLook(access).find(editor.map(), range.offset(), port.then(this::read));
  }

  private void read(PieceMap.Spot spot) {
    ByteBuffer rest = ByteBuffer.allocate(restBytes);
    editor.read(range.offset() + range.bytes(), rest, port.then(read -> move(spot, rest.flip())));
  }

  private void move(PieceMap.Spot spot, ByteBuffer rest) {
    editor.space().lay(spot.at(), rest, port.then(laid -> leaveOut()));
  }

  /** All blocks of the range have bytes before it, too, so none goes. */
  private void leaveOut() {
    PieceMap.Stretch gone = new PieceMap.Stretch(range.offset() + restBytes, range.bytes());
    editor.become(editor.map().with(gone, null), List.of());
    access.meter().edited();
    access.meter().copied(restBytes);
    editor.space().spillIfMuch(port);
  }
}
