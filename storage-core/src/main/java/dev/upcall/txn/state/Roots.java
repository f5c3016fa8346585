package dev.upcall.txn.state;

import dev.upcall.tree.Frozen;
import dev.upcall.tree.PageRef;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.volume.StoreRoot;
import dev.upcall.txn.volume.Superblock;
import dev.upcall.txn.volume.VolumeLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The trees' roots as a superblock keeps them. */
public final class Roots {
  /** No tree of two children a page is higher. */
  private static final int MAX_LEVEL = 62;

  private Roots() {}

  /** The roots of frozen trees, all written, and of the image of unplaced content. */
  public static List<StoreRoot> encode(List<Frozen> frozen, @Nullable PageRef unplaced) {
    List<StoreRoot> roots = new ArrayList<>();
    for (Frozen tree : frozen) {
      // An older program knows no tree of a feature that the volume does not use.
      if (tree.root() != null || !StoreTree.of(tree.treeId()).isOfFeature()) {
        roots.add(encode(tree.treeId(), tree.root()));
      }
    }
    roots.add(encode(StoreTree.UNPLACED.number(), unplaced));
    return roots;
  }

  /** The root of a tree, or null if it is empty. */
  static @Nullable public PageRef decode(StoreRoot root) {
    return root.reference().length == 0
        ? null
        : PageRef.decode(ByteBuffer.wrap(root.reference()).order(ByteOrder.LITTLE_ENDIAN));
  }

  /**
   * Why roots cannot be those of a store: a decoder's check, of bytes that anybody wrote; or null.
   */
  public static @Nullable String unsound(Superblock superblock) {
    Set<Integer> trees = new TreeSet<>();
    Set<Long> blocks = new TreeSet<>();
    for (StoreRoot root : superblock.roots()) {
      String what = unsound(root, superblock, trees, blocks);
      if (what != null) {
        return "the root of tree " + root.treeId() + " " + what;
      }
    }
    return null;
  }

  private static @Nullable String unsound(
      StoreRoot root, Superblock superblock, Set<Integer> trees, Set<Long> blocks) {
    if (!StoreTree.isOne(root.treeId())) {
      return "is of no tree of a store";
    }
    if (!trees.add(root.treeId())) {
      return "is there twice";
    }
    int length = root.reference().length;
    if (length == 0) {
      return null;
    }
    PageRef page = length == PageRef.ENCODED_BYTES ? decode(root) : null;
    if (page == null) {
      return "is no pointer to a page";
    }
    if (page.hasOneCopy()) {
      return "has one copy";
    }
    for (long block : page.blocks()) {
      if (!isForData(block, superblock)) {
        return "lies in block " + block + ", which is not for pages";
      }
      if (!blocks.add(block)) {
        return "lies in block " + block + ", as another copy or root does";
      }
    }
    if (page.level() < 0 || page.level() > MAX_LEVEL) {
      return "is of level " + page.level();
    }
    return page.birth() < 0 || page.birth() > superblock.scn()
        ? "was born at SCN %d, the state is of %d".formatted(page.birth(), superblock.scn())
        : null;
  }

  private static boolean isForData(long block, Superblock superblock) {
    VolumeLayout layout = superblock.layout();
    return block >= layout.dataStart() && block < layout.maxBlocks();
  }

  private static StoreRoot encode(int tree, @Nullable PageRef root) {
    if (root == null) {
      return new StoreRoot(tree, new byte[0]);
    }
    ByteBuffer out = ByteBuffer.allocate(PageRef.ENCODED_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    PageRef.encode(root, out);
    return new StoreRoot(tree, out.array());
  }
}
