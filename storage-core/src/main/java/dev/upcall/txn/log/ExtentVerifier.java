package dev.upcall.txn.log;

import dev.upcall.base.Checksums;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;

/**
 * Reads extents and compares the checksums of their blocks, a piece at a time. One verification at
 * once.
 */
final class ExtentVerifier {
  /** Bytes of a piece: read at once and checked in one upcall. */
  private static final int PIECE_BLOCKS = 64;

  private final LogEnvironment env;
  private final boolean rewrites;
  private final ByteBuffer memory = Disk.newBuffer(PIECE_BLOCKS * Disk.BLOCK_BYTES);
  private final ArrayDeque<NamedExtent> left = new ArrayDeque<>();
  private int blocksDone;

  /**
   * Of a log.
   *
   * @param rewrites whether what is right is written once more: a sync that failed before may have
   *     given it up, and no later one will tell
   */
  ExtentVerifier(LogEnvironment env, boolean rewrites) {
    this.env = env;
    this.rewrites = rewrites;
  }

  /** Says whether all of these extents hold what their checksums say. */
  void verify(List<NamedExtent> named, CompletionPort<Boolean> port) {
    left.clear();
    left.addAll(named);
    blocksDone = 0;
    next(port);
  }

  private void next(CompletionPort<Boolean> port) {
    NamedExtent first = left.peekFirst();
    if (first == null) {
      env.dispatcher().complete(port, Completion.done(true));
      return;
    }
    if (first.extent().end() > env.disk().sizeBlocks()) {
      // The volume grew for this extent and the crash undid it.
      env.dispatcher().complete(port, Completion.done(false));
      return;
    }
    int blocks = Math.min(first.crcs().length - blocksDone, PIECE_BLOCKS);
    ByteBuffer piece = memory.slice(0, blocks * Disk.BLOCK_BYTES);
    env.disk()
        .submit(
            new DiskRequest.Read(
                first.extent().block() + blocksDone,
                List.of(piece),
                IoClass.FOREGROUND_READ,
                completion -> onRead(completion, first, piece, port)));
  }

  private void onRead(
      Completion<Unit> completion,
      NamedExtent first,
      ByteBuffer piece,
      CompletionPort<Boolean> port) {
    if (completion instanceof Completion.Failed<Unit>(Failure failure)) {
      port.complete(Completion.failed(failure));
      return;
    }
    long block = first.extent().block() + blocksDone;
    for (int at = 0; at < piece.capacity(); at += Disk.BLOCK_BYTES) {
      if (Checksums.crc32c(piece, at, Disk.BLOCK_BYTES) != first.crcs()[blocksDone++]) {
        port.complete(Completion.done(false));
        return;
      }
    }
    if (blocksDone == first.crcs().length) {
      left.removeFirst();
      blocksDone = 0;
    }
    if (rewrites) {
      rewrite(block, piece, port);
    } else {
      next(port);
    }
  }

  private void rewrite(long block, ByteBuffer piece, CompletionPort<Boolean> port) {
    CompletionPort<Unit> written =
        CompletionPort.of(done -> next(port), why -> port.complete(Completion.failed(why)));
    env.disk().submit(new DiskRequest.Write(block, List.of(piece), IoClass.LOG, written));
  }
}
