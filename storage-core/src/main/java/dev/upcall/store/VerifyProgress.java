package dev.upcall.store;

/** Hears how far a verification is. */
@FunctionalInterface
public interface VerifyProgress {
  /**
   * Called between two steps, on the dispatcher's thread.
   *
   * @param checkedBlocks blocks whose owner is known so far
   * @param committedBlocks how many there are
   * @return false to give the verification up
   */
  boolean reached(long checkedBlocks, long committedBlocks);
}
