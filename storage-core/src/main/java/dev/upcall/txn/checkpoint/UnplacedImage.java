package dev.upcall.txn.checkpoint;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.segment.ContentPlacer;
import dev.upcall.segment.ExtentEntry;
import dev.upcall.segment.InodeCodec;
import dev.upcall.segment.Overlay;
import dev.upcall.segment.Staged;
import dev.upcall.space.Extent;
import dev.upcall.tree.Tree;
import dev.upcall.txn.state.StoreContext;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The image of what is unplaced at a checkpoint: the blocks in extents of their own, and a tree
 * that says whose they are. It lives until the next checkpoint's superblock. So the log before a
 * checkpoint is not needed for content either.
 */
final class UnplacedImage {
  /** An entry names at most so many blocks. */
  private static final int ENTRY_BLOCKS = 16;

  private static final int WRITE_BLOCKS = 256;

  private final StoreContext context;
  private final List<Piece> pieces = new ArrayList<>();
  private long blocks;

  /** Unplaced blocks as they are at the freeze; the lease is retained until they are written. */
  private record Piece(long segment, Overlay.Part part) {}

  /** Takes down what is unplaced now. */
  UnplacedImage(StoreContext context, Map<Long, Overlay> unplaced) {
    this.context = context;
    for (Map.Entry<Long, Overlay> entry : unplaced.entrySet()) {
      for (Overlay.Part part : entry.getValue().parts()) {
        // At once: a change right after the freeze may replace the part, and its frame would go.
        part.lease().retain();
        pieces.add(new Piece(entry.getKey(), part));
        blocks += part.blocks();
      }
    }
  }

  /** How many blocks it holds. */
  long blocks() {
    return blocks;
  }

  /**
   * How many pages its tree will have: no more may be allocated, because nobody would own the rest
   * after a crash.
   *
   * @param extents where the blocks will lie
   * @param scratch an empty tree that nobody needs
   */
  int pages(List<Extent> extents, Tree scratch) {
    List<Staged.NamedBlocks> named = new ArrayList<>();
    for (Extent extent : pieces(extents)) {
      named.add(new Staged.NamedBlocks(extent, new int[Math.toIntExact(extent.blocks())]));
    }
    fill(scratch, named);
    return scratch.dirtyPages();
  }

  /**
   * Writes the blocks and fills the tree.
   *
   * @param extents where to, as many blocks as there are
   * @param tree empty
   */
  void write(List<Extent> extents, Tree tree, CompletionPort<Unit> port) {
    Invariants.check(tree.dirtyPages() == 0, "image tree in use", tree.dirtyPages());
    long room = extents.stream().mapToLong(Extent::blocks).sum();
    Invariants.check(room == blocks, "room for the unplaced image", room, blocks);
    List<ByteBuffer> buffers = new ArrayList<>(pieces.size());
    for (Piece piece : pieces) {
      Overlay.Part part = piece.part();
      ByteBuffer buffer = part.lease().buffer();
      buffers.add(
          buffer.slice(
              buffer.position() + part.leaseBlock() * Disk.BLOCK_BYTES,
              part.blocks() * Disk.BLOCK_BYTES));
    }
    List<Staged.NamedBlocks> named = new ArrayList<>();
    context
        .placer()
        .write(
            new ContentPlacer.Blocks(buffers, (int) blocks),
            pieces(extents),
            context.pressure().ioClass(),
            named,
            completion -> {
              // Not before the write has ended, which reads from the frames.
              releaseAll();
              if (completion instanceof Completion.Done<Unit>) {
                fill(tree, named);
              }
              port.complete(completion);
            });
  }

  /** Gives everything back unwritten. */
  void releaseAll() {
    for (Piece piece : pieces) {
      piece.part().lease().release();
    }
  }

  /** Extents cut to what one write may carry. */
  private static List<Extent> pieces(List<Extent> extents) {
    List<Extent> cut = new ArrayList<>();
    for (Extent extent : extents) {
      for (long at = extent.block(); at < extent.end(); at += WRITE_BLOCKS) {
        cut.add(new Extent(at, Math.min(WRITE_BLOCKS, extent.end() - at)));
      }
    }
    return cut;
  }

  private void fill(Tree tree, List<Staged.NamedBlocks> named) {
    int run = 0;
    long used = 0;
    for (Piece piece : pieces) {
      long block = piece.part().block();
      while (block < piece.part().end()) {
        Staged.NamedBlocks present = named.get(run);
        long length =
            Math.min(
                Math.min(piece.part().end() - block, ENTRY_BLOCKS),
                present.extent().blocks() - used);
        ExtentEntry whole = new ExtentEntry(0, present.extent(), present.checksums());
        ExtentEntry slice = whole.slice(used, used + length);
        byte[] key = key(piece.segment(), block);
        tree.prepare(key);
        tree.put(
            key, InodeCodec.encodeEntry(new ExtentEntry(block, slice.extent(), slice.checksums())));
        block += length;
        used += length;
        if (used == present.extent().blocks()) {
          run++;
          used = 0;
        }
      }
    }
    // A block of the image without an entry would be lost, one too many somebody else's content.
    Invariants.check(run == named.size(), "runs of the unplaced image", run, named.size());
    Invariants.check(used == 0, "blocks of the unplaced image without an entry", used);
  }

  private static byte[] key(long segment, long block) {
    return ByteBuffer.allocate(16).putLong(segment).putLong(block).array();
  }
}
