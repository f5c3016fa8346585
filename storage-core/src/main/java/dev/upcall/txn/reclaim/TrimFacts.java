package dev.upcall.txn.reclaim;

import dev.upcall.space.Extent;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All that {@link TrimPlanner} may know, as of one moment.
 *
 * @param nowNanos by the monotonic clock
 * @param volume the volume's size and its file's
 * @param free what is free
 * @param use what the free blocks are needed for
 * @param progress what the machine has done so far
 */
record TrimFacts(long nowNanos, Volume volume, Free free, Use use, Progress progress) {
  /**
   * Sizes, in blocks.
   *
   * @param total of the volume
   * @param tailStart where its free end begins, {@code total} if the last block is in use
   * @param durable of the volume as the durable superblock says
   * @param file of the file
   */
  record Volume(long total, long tailStart, long durable, long file) {}

  /**
   * Free blocks, and those that will be.
   *
   * @param unpunched allocatable ones, and those of which nobody knows whether they are holes
   * @param backed allocatable ones alone
   * @param fresh what was freed since the last checkpoint, which the next one makes allocatable
   * @param longestDoubtful the longest run that may be a hole, or null
   * @param longestBacked the longest allocatable run, or null
   */
  record Free(
      long unpunched,
      long backed,
      long fresh,
      @Nullable Extent longestDoubtful,
      @Nullable Extent longestBacked) {}

  /**
   * Who needs blocks.
   *
   * @param committed what the store holds
   * @param promised free blocks that are promised to the next checkpoint
   * @param kept free blocks that content leaves alone: promised, and the pool for deletes
   * @param promisable free blocks, holes included, that may be promised
   * @param handedOut blocks that were handed out in all
   * @param waitedFor whether somebody waits for space
   */
  record Use(
      long committed,
      long promised,
      long kept,
      long promisable,
      long handedOut,
      boolean waitedFor) {}

  /**
   * Where the machine stands.
   *
   * @param settling whether this is a look after waiting, and not after a step of giving back
   * @param readOnly whether nothing may be changed any more
   * @param closing whether the store closes
   * @param closingPunches runs that were punched since then
   * @param obstacles why some steps are impossible
   */
  record Progress(
      boolean settling,
      boolean readOnly,
      boolean closing,
      int closingPunches,
      Set<Obstacle> obstacles) {}

  /** Why a step is impossible. */
  enum Obstacle {
    /** The device has refused a punch. */
    PUNCH_REFUSED,
    /** The device has refused a cut. */
    CUT_REFUSED,
    /** For now: the volume is getting room from the device. */
    VOLUME_GROWING
  }
}
