package dev.upcall.txn.reclaim;

import dev.upcall.space.Extent;

/** What {@link TrimPlanner} says is to be done next, and {@link Trimmer} does. */
sealed interface TrimStep {
  /** There is nothing to give back. */
  record Nothing() implements TrimStep {}

  /**
   * It may not stay free: look again later.
   *
   * @param nanos how much later
   */
  record Wait(long nanos) implements TrimStep {}

  /** A checkpoint first: it makes allocatable what was freed, or durable what was shrunk. */
  record Checkpoint() implements TrimStep {}

  /**
   * Give a free run back to the device; the volume keeps its length.
   *
   * @param run free, of one kind ({@link dev.upcall.space.Unbacked})
   */
  record Punch(Extent run) implements TrimStep {}

  /**
   * Take the free end out of the volume, and make that durable.
   *
   * @param totalBlocks the volume's new size
   */
  record Shrink(long totalBlocks) implements TrimStep {}

  /** Cut the file to the size that the volume durably has. */
  record Truncate() implements TrimStep {}
}
