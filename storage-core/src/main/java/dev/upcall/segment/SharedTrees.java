package dev.upcall.segment;

import dev.upcall.tree.PageRef;
import dev.upcall.tree.Tree;
import dev.upcall.tree.TreeVersion;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The extent trees that the owner opened last, for other threads: by where their roots are. They
 * never change, and hold heap only; what is not found, or not all in memory, is the owner's to
 * read.
 */
final class SharedTrees {
  /** A power of two. The later of two with the same place is found. */
  private static final int PLACES = 1 << 10;

  private final AtomicReferenceArray<@Nullable TreeVersion> recent =
      new AtomicReferenceArray<>(PLACES);

  SharedTrees() {}

  /** A tree was opened. The owner's thread. */
  void opened(Tree tree, PageRef root) {
    recent.setRelease(place(root), new TreeVersion(tree.root()));
  }

  /** The tree of a layout, or null. Any thread. */
  @Nullable TreeVersion find(Layout.Indexed layout) {
    TreeVersion found = recent.getAcquire(place(layout.root()));
    PageRef root = found == null ? null : found.root();
    return root != null && root.samePageAs(layout.root()) ? found : null;
  }

  private static int place(PageRef root) {
    return (int) root.addressA() & (PLACES - 1);
  }
}
