package dev.upcall.txn.log;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A piece of the log in memory, contiguous even where the ring wraps; recovery moves it along. It
 * holds at least a batch of the largest size and costs a megabyte or that, whichever is more.
 */
final class LogWindow {
  private static final int USUAL_BLOCKS = Disk.MAX_TRANSFER_BYTES / Disk.BLOCK_BYTES;

  private final LogEnvironment env;
  private final long limit;
  private final ByteBuffer memory;
  private long position;
  private int blocks;

  /** A window over positions before {@code limit}. */
  LogWindow(LogEnvironment env, long limit) {
    this.env = env;
    this.limit = limit;
    int most = Math.max(env.layout().maxBatchBlocks(), USUAL_BLOCKS);
    this.memory = Disk.newBuffer(Math.min(most, env.layout().logBlocks()) * Disk.BLOCK_BYTES);
  }

  boolean holds(long from, int count) {
    return from >= position && from + count <= position + blocks;
  }

  /**
   * Where the next batch may begin: at the first position from {@code from} on that begins as heads
   * do, or at {@code to}, or where the window ends. Only the first bytes of a block are looked at,
   * because each opening asks this of a whole lap.
   *
   * @param from a position that the window holds, or where it ends
   */
  long nextHead(long from, long to) {
    int end = offsetOf(Math.min(to, position + blocks));
    int at = offsetOf(from);
    while (at < end && memory.getInt(at) != BatchHeader.MAGIC) {
      at += Disk.BLOCK_BYTES;
    }
    return position + at / Disk.BLOCK_BYTES;
  }

  /** Loads the log from a position on, as much as the window holds. */
  void load(long from, CompletionPort<Unit> port) {
    int count = (int) Math.min(memory.capacity() / Disk.BLOCK_BYTES, limit - from);
    blocks = 0;
    ByteBuffer run = memory.slice(0, count * Disk.BLOCK_BYTES);
    RingTransfer.start(
        env,
        RingTransfer.Kind.READ,
        from,
        run,
        completion -> {
          if (completion instanceof Completion.Done<Unit>) {
            position = from;
            blocks = count;
          }
          port.complete(completion);
        });
  }

  /** The bytes from a position that the window holds; absolute offsets count from there. */
  ByteBuffer at(long from) {
    int offset = offsetOf(from);
    return memory.slice(offset, blocks * Disk.BLOCK_BYTES - offset).order(ByteOrder.LITTLE_ENDIAN);
  }

  private int offsetOf(long at) {
    return Math.toIntExact(at - position) * Disk.BLOCK_BYTES;
  }
}
