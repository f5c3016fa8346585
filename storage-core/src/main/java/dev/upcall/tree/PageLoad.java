package dev.upcall.tree;

/** What became of a block that was given to a pointer. */
public sealed interface PageLoad {
  /** The block is the page; it is resident now. */
  record Attached() implements PageLoad {
    static final Attached ATTACHED = new Attached();
  }

  /**
   * The block is not the page; nothing was changed. Try the other copy.
   *
   * @param what which fact did not hold
   * @param expected what the pointer demands
   * @param found what the block holds
   */
  record Mismatch(String what, long expected, long found) implements PageLoad {}
}
