package dev.upcall.txn.checkpoint;

import dev.upcall.base.Invariants;
import dev.upcall.segment.paging.BlockSource;
import dev.upcall.space.Extent;
import dev.upcall.space.FreeMap;
import dev.upcall.space.Reserve;
import dev.upcall.tree.Frozen;
import dev.upcall.txn.state.StoreState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the parts of a checkpoint go: blocks that are committed at its freeze, exactly as many as
 * it writes.
 *
 * @param image for unplaced content
 * @param copyA for the first copies of the frozen trees' dirty pages
 * @param copyB for the second copies, of those that have one
 * @param imagePages for the tree of the unplaced image: all first copies, then all second ones
 */
record CheckpointPlaces(
    List<Extent> image, BlockSource copyA, BlockSource copyB, List<Extent> imagePages) {
  private static final int MAX_PIECES = 1 << 20;

  /**
   * Commits all blocks of the checkpoint at once, so that the map's image holds them; null if there
   * is no room.
   *
   * @param trees the frozen ones, whose dirty pages are to be written
   */
  static @Nullable CheckpointPlaces allocate(
      StoreState state, UnplacedImage image, List<Frozen> trees) {
    long pages = trees.stream().mapToLong(Frozen::dirtyPages).sum();
    FreeMap map = state.map();
    List<List<Extent>> got = new ArrayList<>();
    // The image before its pages: how many these are depends on where its blocks lie.
    boolean all =
        allocate(map, image.blocks(), got)
            && allocate(map, pages, got)
            && allocateFar(map, pageBlocks(trees) - pages, got)
            && allocate(map, 2L * image.pages(got.getFirst(), state.treeConfig()), got);
    for (List<Extent> extents : got) {
      extents.forEach(all ? map::commit : map::giveBack);
    }
    return all
        ? new CheckpointPlaces(
            got.get(0), new BlockSource(got.get(1)), new BlockSource(got.get(2)), got.get(3))
        : null;
  }

  /** How many blocks the dirty pages of frozen trees take. */
  static long pageBlocks(List<Frozen> trees) {
    return trees.stream().mapToLong(tree -> (long) tree.dirtyPages() + tree.secondCopies()).sum();
  }

  /** Every page has been written: blocks that are left over would be nobody's after a crash. */
  void checkUsedUp() {
    Invariants.check(copyA.rest().isEmpty(), "first copies without a page", copyA.rest());
    Invariants.check(copyB.rest().isEmpty(), "second copies without a page", copyB.rest());
  }

  /** Second copies lie far from the first: one damaged region of the device does not take both. */
  private static boolean allocateFar(FreeMap map, long blocks, List<List<Extent>> got) {
    List<Extent> first = got.getLast();
    List<Extent> extents =
        blocks == 0
            ? List.of()
            : map.allocatePiecesFar(blocks, MAX_PIECES, Reserve.EMERGENCY, first.getFirst());
    got.add(extents);
    return blocks == 0 || !extents.isEmpty();
  }

  private static boolean allocate(FreeMap map, long blocks, List<List<Extent>> got) {
    List<Extent> extents =
        blocks == 0 ? List.of() : map.allocatePieces(blocks, MAX_PIECES, Reserve.EMERGENCY);
    got.add(extents);
    return blocks == 0 || !extents.isEmpty();
  }
}
