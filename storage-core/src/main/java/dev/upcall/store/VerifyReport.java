package dev.upcall.store;

import java.util.List;
import java.util.Objects;

/**
 * What a verification found.
 *
 * @param scn the commit up to which it looked
 * @param segments inodes
 * @param names directory entries
 * @param orphans detached segments that are still being reclaimed
 * @param snapshots named snapshots, each of them verified as a whole store is; what follows counts
 *     the store itself
 * @param metadataBlocks blocks of tree pages and of the snapshots' bits, both copies counted
 * @param contentBlocks blocks of placed content, what clones share counted once
 * @param sharedBlocks blocks that more than one file uses, directly: content and, of large files,
 *     the page below which all is shared
 * @param unplacedBlocks blocks of content that had no place of its own at the checkpoint
 * @param unusedBytes bytes of the blocks of files that were edited in the middle which their
 *     content does not use; of files that share the tree of a map, those of one
 * @param contentRead blocks of content that were read and compared, those of snapshots included
 * @param problems what is wrong, the first hundred
 * @param problemCount how much is wrong
 */
public record VerifyReport(
    long scn,
    long segments,
    long names,
    long orphans,
    long snapshots,
    long metadataBlocks,
    long contentBlocks,
    long sharedBlocks,
    long unplacedBlocks,
    long unusedBytes,
    long contentRead,
    List<Problem> problems,
    long problemCount) {
  /** Copies the list. */
  public VerifyReport {
    Objects.requireNonNull(problems, "problems");
    problems = List.copyOf(problems);
  }

  /** Whether nothing is wrong. */
  public boolean isSound() {
    return problemCount == 0;
  }

  /**
   * Something that is not as it should be.
   *
   * @param offsetBytes where on the volume
   * @param what in words
   */
  public record Problem(long offsetBytes, String what) {
    /** Checks that nothing is missing. */
    public Problem {
      Objects.requireNonNull(what, "what");
    }

    @Override
    public String toString() {
      return what + " at byte offset " + offsetBytes;
    }
  }
}
