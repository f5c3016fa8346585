package dev.upcall.segment;

import dev.upcall.fsm.Faults;
import dev.upcall.tree.PageRef;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The trees of one kind, of extents or of pieces, that the owner opened last, for other threads: by
 * where their roots are. They never change, and hold heap only; what is not found, or not all in
 * memory, is the owner's to read.
 */
final class SharedTrees {
  /** A power of two. The later of two with the same place is found. */
  private static final int PLACES = 1 << 10;

  private final AtomicReferenceArray<@Nullable PageRef> recent;

  /** Always, but for a canary. */
  private final boolean compares;

  SharedTrees(Faults faults) {
    this.compares = !faults.has(PageFault.SHARED_ROOT_NOT_COMPARED);
    this.recent = new AtomicReferenceArray<>(compares ? PLACES : 1);
  }

  /** A tree was opened. The owner's thread. */
  void opened(PageRef root) {
    recent.setRelease(place(root), root);
  }

  /** A root as one whose pages may be in memory, or null. Any thread. */
  @Nullable PageRef find(PageRef root) {
    PageRef found = recent.getAcquire(place(root));
    return found != null && (found.samePageAs(root) || !compares) ? found : null;
  }

  private int place(PageRef root) {
    return (int) root.addressA() & (recent.length() - 1);
  }
}
