package dev.upcall.segment.layout;

import dev.upcall.base.Invariants;
import dev.upcall.tree.PageRef;
import dev.upcall.tree.PositionTree;
import dev.upcall.tree.TreeConfig;
import dev.upcall.tree.TreePages;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The trees of maps of pieces that outgrew their inodes: runs are pieces, positions those of the
 * content that a tree makes up, numbers bytes of the block space. Each is immutable once a commit
 * names its root; changing one makes another that shares most pages ({@link MapFold}).
 */
public final class MapTrees {
  /** The tree id that all of them carry in their pages. */
  public static final int TREE_ID = 17;

  private final TreeConfig config;
  private final TreePages pages;
  private final Map<Long, PageRef> open;
  private final SharedTrees shared = new SharedTrees();

  MapTrees(TreeConfig config, TreePages pages, long pagesInMemory) {
    this.config = config;
    this.pages = pages;
    this.open = new RecentPages<>(pagesInMemory);
  }

  /** A root as one whose pages can be loaded; they are shared by all who look. */
  public PageRef root(PageRef root) {
    PageRef known = open.get(root.addressA());
    if (known == null || !known.samePageAs(root)) {
      known = PositionTree.bound(config, TREE_ID, root, pages);
      keep(known);
    }
    return known;
  }

  /** A root that was just written: what of its tree is in memory need not be read again. */
  void written(PageRef root) {
    keep(root);
  }

  private void keep(PageRef root) {
    open.put(root.addressA(), root);
    shared.opened(root);
  }

  /** What other threads see of them. */
  public SharedTrees shared() {
    return shared;
  }

  /**
   * Where a byte of the content is in the block space. May throw {@code PageMissing}; never where
   * the map has no tree.
   */
  public PieceMap.Spot find(PieceMap map, long offset) {
    PieceMap.Spot spot = map.find(offset);
    return map.isInTree(spot.at()) ? spot(runAt(map, spot.at()), spot.left()) : spot;
  }

  /**
   * As {@link #find(PieceMap, long)}, on any thread; null where the tree is the owner's to read.
   * May throw {@code PageMissing}.
   */
  public static PieceMap.@Nullable Spot find(SharedTrees shared, PieceMap map, long offset) {
    PieceMap.Spot spot = map.find(offset);
    PieceMap.Folded folded = map.folded();
    if (folded == null || !map.isInTree(spot.at())) {
      return spot;
    }
    PageRef root = shared.find(folded.root());
    return root == null
        ? null
        : spot(PositionTree.find(root, folded.bytes(), spot.at()), spot.left());
  }

  private static PieceMap.Spot spot(PositionTree.Spot found, long mostBytes) {
    return new PieceMap.Spot(found.number(), Math.min(mostBytes, found.left()));
  }

  /**
   * The range of the content that is in one piece with a byte of it. May throw {@code PageMissing};
   * never where the map has no tree.
   */
  public PieceMap.Stretch around(PieceMap map, long offset) {
    PieceMap.Stretch range = map.around(offset);
    PieceMap.Spot spot = map.find(offset);
    if (!map.isInTree(spot.at())) {
      return range;
    }
    PositionTree.Spot found = runAt(map, spot.at());
    long from = Math.max(range.offset(), offset - found.before());
    long to = offset + Math.min(spot.left(), found.left());
    return new PieceMap.Stretch(from, to - from);
  }

  /** What the tree of a map has at a position. May throw {@code PageMissing}. */
  public PositionTree.Spot runAt(PieceMap map, long position) {
    PieceMap.Folded folded = Invariants.present(map.folded(), "the tree of a map");
    return PositionTree.find(root(folded.root()), folded.bytes(), position);
  }

  /** A private tree that begins as that of a map, with pages that no commit names yet. */
  PositionTree fork(PieceMap map, TreePages privatePages) {
    PieceMap.Folded folded = map.folded();
    PositionTree.Root root =
        folded == null
            ? PositionTree.Root.EMPTY
            : new PositionTree.Root(root(folded.root()), folded.bytes(), folded.pieces());
    return new PositionTree(config, TREE_ID, root, privatePages);
  }
}
