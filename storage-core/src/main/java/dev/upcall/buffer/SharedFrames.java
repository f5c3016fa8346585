package dev.upcall.buffer;

import dev.upcall.io.Disk;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Frames from which other threads copy content without a pin. They neither wait for the owner nor
 * keep it from evicting; what they do not find is its to find out. A frame is shared when the owner
 * meets it in a request after somebody {@linkplain #wanted wanted} it: so nothing is paid where
 * nobody reads elsewhere.
 */
public final class SharedFrames {
  private final Map<Long, SharedFrame> byBlock = new ConcurrentHashMap<>();
  private boolean wanted;

  SharedFrames() {}

  /** From now on frames are shared. The owner's thread. */
  public void wanted() {
    wanted = true;
  }

  boolean isWanted() {
    return wanted;
  }

  /**
   * Copies a part of the content of a run if it is in shared frames, and is what the run's
   * checksums say. Any thread.
   *
   * @param skipBytes how many of the first block's bytes are left out, less than a block
   * @param into where the first byte goes to {@code at}
   * @param lengthBytes at most what the run has behind them
   * @return false, and any bytes, where it is not there, or was let go meanwhile
   */
  public boolean copy(BlockRun run, int skipBytes, ByteBuffer into, int at, int lengthBytes) {
    long block = run.firstBlock();
    int skip = skipBytes;
    for (int copied = 0; copied < lengthBytes; ) {
      SharedFrame frame = byBlock.get(block);
      if (frame == null) {
        return false;
      }
      int blocks = (int) Math.min(frame.end() - block, blocksOf(skip + lengthBytes - copied));
      int bytes = Math.min(blocks * Disk.BLOCK_BYTES - skip, lengthBytes - copied);
      if (!frame.isContentOf(run, block, blocks)
          || !frame.copy(frame.offsetOf(block) + skip, into, at + copied, bytes)) {
        return false;
      }
      copied += bytes;
      block += blocks;
      skip = 0;
    }
    return true;
  }

  /**
   * Where the content of a run is, if all of it is in one shared frame and is what the run's
   * checksums say; or null. Any thread.
   */
  public @Nullable FoundBytes find(BlockRun run) {
    SharedFrame frame = byBlock.get(run.firstBlock());
    return frame != null
            && run.end() <= frame.end()
            && frame.isContentOf(run, run.firstBlock(), run.blocks())
        ? new FoundBytes(frame, frame.offsetOf(run.firstBlock()))
        : null;
  }

  /** A copy of a shared block, whatever it holds; null if it is in no frame. Any thread. */
  byte @Nullable [] copy(long block) {
    SharedFrame frame = byBlock.get(block);
    if (frame == null) {
      return null;
    }
    byte[] copy = new byte[Disk.BLOCK_BYTES];
    ByteBuffer into = ByteBuffer.wrap(copy);
    return frame.copy(frame.offsetOf(block), into, 0, copy.length) ? copy : null;
  }

  private static int blocksOf(int bytes) {
    return (bytes + Disk.BLOCK_BYTES - 1) / Disk.BLOCK_BYTES;
  }

  /** A frame can be found from now on. The owner's thread, as of the others below. */
  SharedFrame share(Frame frame, SlabMemory memory) {
    SharedFrame shared = SharedFrame.of(frame, memory);
    for (long block = shared.firstBlock(); block < shared.end(); block++) {
      byBlock.put(block, shared);
    }
    return shared;
  }

  /** It cannot be found any more, and who copies from it does so in vain. */
  void end(@Nullable SharedFrame shared) {
    if (shared != null) {
      for (long block = shared.firstBlock(); block < shared.end(); block++) {
        byBlock.remove(block);
      }
      shared.letGo();
    }
  }

  /** How many blocks are shared. */
  int size() {
    return byBlock.size();
  }
}
