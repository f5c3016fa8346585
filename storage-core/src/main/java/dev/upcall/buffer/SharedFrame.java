package dev.upcall.buffer;

import dev.upcall.io.Disk;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** What other threads find of a frame that can be found: which content it is, and where. */
final class SharedFrame extends UnpinnedBytes {
  private final long firstBlock;
  private final int[] checksums;

  /** Somebody has read it; written by any thread, and may come late. */
  private boolean touched;

  private SharedFrame(ByteBuffer region, int offsetBytes, long firstBlock, int[] checksums) {
    super(region, offsetBytes);
    this.firstBlock = firstBlock;
    this.checksums = checksums;
  }

  /**
   * Of a valid frame. Costs the checksums of its blocks, 0.2 microseconds each, unless the frame
   * remembers those of its load.
   */
  static SharedFrame of(Frame frame, SlabMemory memory) {
    BlockRun verified = frame.verified();
    return new SharedFrame(
        memory.regionOf(frame.page),
        memory.offsetOf(frame.page),
        frame.firstBlock(),
        verified == null ? computed(frame, memory) : remembered(frame, verified));
  }

  private static int[] remembered(Frame frame, BlockRun verified) {
    int[] checksums = new int[frame.blocks()];
    for (int i = 0; i < checksums.length; i++) {
      checksums[i] = verified.crcOf(frame.firstBlock() + i);
    }
    return checksums;
  }

  private static int[] computed(Frame frame, SlabMemory memory) {
    int[] checksums = new int[frame.blocks()];
    ByteBuffer bytes = memory.bytesOf(frame.page, frame.blocks());
    CRC32C crc = new CRC32C();
    for (int i = 0; i < checksums.length; i++) {
      crc.reset();
      bytes.limit((i + 1) * Disk.BLOCK_BYTES).position(i * Disk.BLOCK_BYTES);
      crc.update(bytes);
      checksums[i] = (int) crc.getValue();
    }
    return checksums;
  }

  long firstBlock() {
    return firstBlock;
  }

  /** The first address behind its blocks. */
  long end() {
    return firstBlock + checksums.length;
  }

  /**
   * Whether some blocks are what a run wants there. The address alone does not tell: blocks that
   * were freed since are another content's by now.
   */
  boolean isContentOf(BlockRun run, long from, int blocks) {
    for (long block = from; block < from + blocks; block++) {
      if (checksums[(int) (block - firstBlock)] != run.crcOf(block)) {
        return false;
      }
    }
    return true;
  }

  /** Where one of its blocks begins, in bytes. */
  int offsetOf(long block) {
    return (int) (block - firstBlock) * Disk.BLOCK_BYTES;
  }

  @Override
  public boolean copy(int fromBytes, ByteBuffer into, int at, int lengthBytes) {
    if (!touched) {
      touched = true;
    }
    return copyUnpinned(fromBytes, into, at, lengthBytes);
  }

  /** Whether there was a hit since the last time. The owner's thread. */
  boolean takeTouch() {
    boolean was = touched;
    if (was) {
      touched = false;
    }
    return was;
  }
}
