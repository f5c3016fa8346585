package dev.upcall.segment;

import dev.upcall.base.Checksums;
import dev.upcall.base.Invariants;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.segment.layout.Staged;
import dev.upcall.space.Extent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * One writing of many blocks to their places by which nobody is held up: a bounded piece of it in
 * each turn of the dispatcher, so that completions are looked for before the next piece. One object
 * for one writing; dispatcher's thread.
 */
final class PlacingByTurns {
  private final Disk disk;
  private final ContentPlacer.Pace pace;
  private final List<ByteBuffer> buffers;
  private final List<Staged.NamedBlocks> named;
  private final ContentPlacer.Join join;
  private int buffer;

  /** Bytes of the present buffer that are on their way. */
  private int sentBytes;

  private int run;

  /** Blocks of the present run that are on their way. */
  private int sentBlocks;

  private PlacingByTurns(
      Disk disk,
      ContentPlacer.Pace pace,
      List<ByteBuffer> buffers,
      List<Staged.NamedBlocks> named,
      CompletionPort<Unit> port) {
    this.disk = disk;
    this.pace = pace;
    this.buffers = buffers;
    this.named = List.copyOf(named);
    // One for the pieces that are still to come.
    this.join = new ContentPlacer.Join(1, port);
  }

  /**
   * Writes, the first piece in an upcall of its own.
   *
   * @param named the places, with room for the checksums, which are there when the port completes
   * @param port completes when all is written; after a failure, too, all have their checksums
   */
  static void write(
      Disk disk,
      ContentPlacer.Pace pace,
      List<ByteBuffer> buffers,
      List<Staged.NamedBlocks> named,
      CompletionPort<Unit> port) {
    new PlacingByTurns(disk, pace, buffers, named, port).stepSoon();
  }

  private void stepSoon() {
    // A timer, not a post: the turn's upcalls come first, and the next turn looks for completions.
    pace.dispatcher().schedule(0, this::step);
  }

  private void step() {
    int left = pace.stepBlocks().getAsInt();
    while (left > 0 && run < named.size()) {
      left -= writePiece(left);
    }
    if (run < named.size()) {
      stepSoon();
    } else {
      Invariants.check(buffer == buffers.size(), "blocks without a place", buffer, buffers.size());
      join.ended();
    }
  }

  /** Sends blocks that lie side by side at their place; returns how many. */
  private int writePiece(int mostBlocks) {
    Staged.NamedBlocks present = named.get(run);
    Extent extent = present.extent();
    IoClass ioClass = pace.ioClass().get();
    int most = Math.min(mostBlocks, ContentPlacer.mostBlocks(ioClass));
    int first = sentBlocks;
    int blocks = (int) Math.min(most, extent.blocks() - first);
    List<ByteBuffer> pieces = new ArrayList<>();
    while (sentBlocks < first + blocks) {
      ByteBuffer piece = nextBuffer((first + blocks - sentBlocks) * Disk.BLOCK_BYTES);
      for (int at = 0; at < piece.remaining(); at += Disk.BLOCK_BYTES) {
        present.checksums()[sentBlocks++] =
            Checksums.crc32c(piece, piece.position() + at, Disk.BLOCK_BYTES);
      }
      pieces.add(piece);
    }
    if (sentBlocks == extent.blocks()) {
      run++;
      sentBlocks = 0;
    }
    join.begun();
    disk.submit(new DiskRequest.Write(extent.block() + first, pieces, ioClass, join));
    return blocks;
  }

  private ByteBuffer nextBuffer(int mostBytes) {
    ByteBuffer whole = buffers.get(buffer);
    int bytes = Math.min(mostBytes, whole.remaining() - sentBytes);
    ByteBuffer piece = whole.slice(whole.position() + sentBytes, bytes);
    sentBytes += bytes;
    if (sentBytes == whole.remaining()) {
      buffer++;
      sentBytes = 0;
    }
    return piece;
  }
}
