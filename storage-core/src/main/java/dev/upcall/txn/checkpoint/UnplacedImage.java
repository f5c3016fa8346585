package dev.upcall.txn.checkpoint;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.segment.ContentPlacer;
import dev.upcall.segment.ContentReader;
import dev.upcall.segment.NamedRuns;
import dev.upcall.segment.Overlay;
import dev.upcall.segment.layout.InodeCodec;
import dev.upcall.segment.layout.Staged;
import dev.upcall.segment.layout.TreeKeys;
import dev.upcall.space.Extent;
import dev.upcall.tree.FillCount;
import dev.upcall.tree.Tree;
import dev.upcall.tree.TreeConfig;
import dev.upcall.txn.state.StoreContext;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;

/**
 * The image of what is unplaced at a checkpoint: the blocks in extents of their own, and a tree
 * that says whose they are. It lives until the next checkpoint's superblock. So the log before a
 * checkpoint is not needed for content either.
 */
final class UnplacedImage {
  /** An entry names at most so many blocks. */
  private static final int ENTRY_BLOCKS = 16;

  private static final int WRITE_BLOCKS = 256;

  /** So many pieces are laid side by side for their write in one turn. */
  static final int STEP_BUFFERS = 128;

  /** So many pieces get their entries in one turn. */
  private static final int STEP_PIECES = 32;

  private final StoreContext context;
  private final List<Piece> pieces = new ArrayList<>();
  private long blocks;

  /** Unplaced blocks as they are at the freeze; the lease is retained until they are written. */
  private record Piece(long segment, Overlay.Part part) {}

  /** An image of nothing. */
  UnplacedImage(StoreContext context) {
    this.context = context;
  }

  /** Takes down what is unplaced now, in the order of the tree that will say whose it is. */
  void takeAll() {
    context.state().segments().forEach(this::take);
    // The parts of each segment ascend; segments come as they got theirs, which is nearly in order.
    pieces.sort(Comparator.comparingLong(Piece::segment));
  }

  private void take(long segment, Overlay unplaced) {
    for (Overlay.Part part : unplaced.parts()) {
      // At once: a change right after the freeze may replace the part, and its frame would go.
      part.lease().retain();
      pieces.add(new Piece(segment, part));
      blocks += part.blocks();
    }
  }

  /** How many blocks it holds. */
  long blocks() {
    return blocks;
  }

  /**
   * How many pages its tree will have: no more may be allocated, because nobody would own the rest
   * after a crash. Told from sizes: the upcall of the freeze is long enough without a tree for it.
   *
   * @param extents where the blocks will lie
   */
  int pages(List<Extent> extents, TreeConfig config) {
    List<Staged.NamedBlocks> named = new ArrayList<>();
    for (Extent extent : pieces(extents)) {
      named.add(new Staged.NamedBlocks(extent, new int[Math.toIntExact(extent.blocks())]));
    }
    FillCount count = new FillCount(config);
    NamedRuns runs = new NamedRuns(named);
    for (Piece piece : pieces) {
      runs.entries(
          piece.part(),
          ENTRY_BLOCKS,
          entry ->
              count.add(key(piece.segment(), entry.logicalBlock()), InodeCodec.entryBytes(entry)));
    }
    // A block of the image without an entry would be lost, one too many somebody else's content.
    runs.checkUsedUp();
    return count.pages();
  }

  /**
   * Writes the blocks and fills the tree, beginning in an upcall of its own.
   *
   * @param extents where to, as many blocks as there are
   * @param tree empty
   */
  void write(List<Extent> extents, Tree tree, CompletionPort<Unit> port) {
    Invariants.check(tree.dirtyPages() == 0, "image tree in use", tree.dirtyPages());
    long room = extents.stream().mapToLong(Extent::blocks).sum();
    Invariants.check(room == blocks, "room for the unplaced image", room, blocks);
    gatherByTurns(
        new ArrayList<>(pieces.size()), buffers -> writeByTurns(buffers, extents, tree, port));
  }

  /** In turns of their own: the upcall of the freeze is long enough without them. */
  private void gatherByTurns(List<ByteBuffer> buffers, Consumer<List<ByteBuffer>> then) {
    if (buffers.size() == pieces.size()) {
      then.accept(buffers);
      return;
    }
    context
        .dispatcher()
        .schedule(
            0,
            () -> {
              int behind = Math.min(pieces.size(), buffers.size() + STEP_BUFFERS);
              for (Piece piece : pieces.subList(buffers.size(), behind)) {
                buffers.add(ContentReader.bytes(piece.part(), piece.part().block()));
              }
              gatherByTurns(buffers, then);
            });
  }

  private void writeByTurns(
      List<ByteBuffer> buffers, List<Extent> extents, Tree tree, CompletionPort<Unit> port) {
    List<Staged.NamedBlocks> named = new ArrayList<>();
    context
        .placer()
        .writeByTurns(
            new ContentPlacer.Blocks(buffers, (int) blocks),
            pieces(extents),
            TurnShare.pace(context),
            named,
            completion -> {
              if (completion instanceof Completion.Done<Unit>) {
                fillByTurns(tree, new NamedRuns(named), pieces.iterator(), port);
              } else {
                // Not before the write has ended, which reads from the frames.
                releaseAll();
                port.complete(completion);
              }
            });
  }

  private void fillByTurns(
      Tree tree, NamedRuns runs, Iterator<Piece> rest, CompletionPort<Unit> port) {
    for (int i = 0; i < STEP_PIECES && rest.hasNext(); i++) {
      Piece piece = rest.next();
      fill(tree, runs, piece);
      piece.part().lease().release();
    }
    if (rest.hasNext()) {
      context.dispatcher().schedule(0, () -> fillByTurns(tree, runs, rest, port));
    } else {
      runs.checkUsedUp();
      port.complete(Completion.done());
    }
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

  private static void fill(Tree tree, NamedRuns runs, Piece piece) {
    runs.entries(
        piece.part(),
        ENTRY_BLOCKS,
        entry -> {
          byte[] key = key(piece.segment(), entry.logicalBlock());
          tree.prepare(key);
          tree.put(key, InodeCodec.encodeEntry(entry));
        });
  }

  private static byte[] key(long segment, long block) {
    return TreeKeys.of(segment, block);
  }
}
