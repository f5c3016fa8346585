package dev.upcall.io.seal;

import dev.upcall.base.Invariants;
import dev.upcall.io.Disk;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The memory in which blocks are encrypted on their way to the device, of a fixed size that is had
 * with the first use. A request gets all that it needs or nothing, in as many pieces as there are.
 * One thread at a time.
 */
final class ScratchBlocks {
  private final int blocks;
  private final BitSet taken;
  private int free;
  private @Nullable ByteBuffer slab;

  /** Blocks that a request has; its pieces in order. */
  record Part(List<ByteBuffer> buffers, List<Run> runs) {}

  private record Run(int block, int blocks) {}

  ScratchBlocks(int blocks) {
    Invariants.check(
        blocks >= Disk.MAX_TRANSFER_BYTES / Disk.BLOCK_BYTES,
        "less than the largest transfer",
        blocks);
    this.blocks = blocks;
    this.free = blocks;
    this.taken = new BitSet(blocks);
  }

  /** So many blocks, or null while others have too many. */
  @Nullable Part take(int wanted) {
    if (wanted > free) {
      return null;
    }
    List<ByteBuffer> buffers = new ArrayList<>();
    List<Run> runs = new ArrayList<>();
    int left = wanted;
    for (int from = taken.nextClearBit(0); left > 0; ) {
      int end = taken.nextSetBit(from);
      int length = Math.min(left, (end < 0 ? blocks : end) - from);
      runs.add(new Run(from, length));
      buffers.add(slab().slice(from * Disk.BLOCK_BYTES, length * Disk.BLOCK_BYTES));
      left -= length;
      from = taken.nextClearBit(from + length);
    }
    runs.forEach(run -> taken.set(run.block(), run.block() + run.blocks()));
    free -= wanted;
    return new Part(buffers, runs);
  }

  void giveBack(Part part) {
    for (Run run : part.runs()) {
      taken.clear(run.block(), run.block() + run.blocks());
      free += run.blocks();
    }
  }

  private ByteBuffer slab() {
    ByteBuffer present = slab;
    if (present == null) {
      present = Disk.newBuffer(blocks * Disk.BLOCK_BYTES);
      slab = present;
    }
    return present;
  }
}
