package dev.upcall.tree;

import org.jspecify.annotations.Nullable;

/**
 * What a tree reports about its pages: which are resident, and which addresses it does not need any
 * more. Called in the midst of changes, so an implementation takes notes and does nothing else.
 */
public interface TreePages {
  /** A new page came into memory, which a checkpoint will write. */
  void added();

  /** A clean page came into memory, by a load or because it has just been written. */
  void resident(PageRef page);

  /**
   * The live tree has let go of a page on disk. It is still part of the last durable root, and of
   * frozen trees taken before this call: its blocks may be reused once a checkpoint that was frozen
   * <em>after</em> this call is durable.
   */
  void replaced(PageRef page);

  /**
   * An image of a page that is not in the heap, if there is one in other memory and another thread
   * than the trees' own asks, which cannot load the page. Any thread.
   *
   * @param block of the page's first copy
   * @return an array that is the caller's, perhaps another page's image; or null
   */
  default byte @Nullable [] imageElsewhere(long block) {
    return null;
  }
}
