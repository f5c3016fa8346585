package dev.upcall.txn.state;

import dev.upcall.tree.Frozen;
import dev.upcall.tree.PageRef;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.volume.StoreRoot;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The trees' roots as a superblock keeps them. */
public final class Roots {
  private Roots() {}

  /** The roots of frozen trees, all written, and of the image of unplaced content. */
  public static List<StoreRoot> encode(List<Frozen> frozen, @Nullable PageRef unplaced) {
    List<StoreRoot> roots = new ArrayList<>();
    for (Frozen tree : frozen) {
      roots.add(encode(tree.treeId(), tree.root()));
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

  private static StoreRoot encode(int tree, @Nullable PageRef root) {
    if (root == null) {
      return new StoreRoot(tree, new byte[0]);
    }
    ByteBuffer out = ByteBuffer.allocate(PageRef.ENCODED_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    PageRef.encode(root, out);
    return new StoreRoot(tree, out.array());
  }
}
