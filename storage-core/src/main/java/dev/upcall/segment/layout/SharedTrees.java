package dev.upcall.segment.layout;

import dev.upcall.tree.PageRef;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The trees of one kind, of extents or of pieces, that the owner opened last, for other threads: by
 * where their roots are. They never change, and hold heap only; what is not found, or not all in
 * memory, is the owner's to read.
 */
public final class SharedTrees {
  /** A power of two. The later of two with the same place is found. */
  private static final int PLACES = 1 << 10;

  private final AtomicReferenceArray<@Nullable PageRef> recent = new AtomicReferenceArray<>(PLACES);

  SharedTrees() {}

  /** A tree was opened. The owner's thread. */
  void opened(PageRef root) {
    recent.setRelease(place(root), root);
  }

  /** A root as one whose pages may be in memory, or null. Any thread. */
  public @Nullable PageRef find(PageRef root) {
    PageRef found = recent.getAcquire(place(root));
    return found != null && found.samePageAs(root) ? found : null;
  }

  private static int place(PageRef root) {
    return (int) root.addressA() & (PLACES - 1);
  }
}
