package dev.upcall.store;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What a verification found.
 *
 * @param scn the commit up to which it looked
 * @param segments inodes
 * @param names directory entries
 * @param orphans detached segments that are still being reclaimed
 * @param snapshots named snapshots, each of them verified as a whole store is; what follows counts
 *     the store itself
 * @param metadataBlocks blocks of tree pages and of the snapshots' bits, all their copies
 * @param contentBlocks blocks of placed content, what clones share counted once
 * @param sharedBlocks blocks that more than one file uses, directly: content and, of large files,
 *     the page below which all is shared
 * @param savedBlocks how many blocks more the content of compressed units would take, of units that
 *     files share once
 * @param unplacedBlocks blocks of content that had no place of its own at the checkpoint
 * @param unusedBytes bytes of the blocks of files that were edited in the middle which their
 *     content does not use; of files that share the tree of a map, those of one
 * @param contentRead blocks of content that were read and compared, those of snapshots included
 * @param space where the volume's space is, and what files save of it
 * @param tables what its tables are
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
    long savedBlocks,
    long unplacedBlocks,
    long unusedBytes,
    long contentRead,
    SpaceUse space,
    TableUse tables,
    List<Problem> problems,
    long problemCount) {
  /** Copies the list. */
  public VerifyReport {
    Objects.requireNonNull(space, "space");
    Objects.requireNonNull(tables, "tables");
    Objects.requireNonNull(problems, "problems");
    problems = List.copyOf(problems);
  }

  /** Whether nothing is wrong. */
  public boolean isSound() {
    return problemCount == 0;
  }

  /**
   * Content that cannot be read.
   *
   * @param snapshot the named snapshot in which the file has it; empty for the store itself
   * @param segment the file's id, or that of the table of a value
   * @param offsetBytes where in the file the damaged block begins; -1 for a value, and for a file
   *     that was edited in the middle, whose blocks are not in the order of its content
   */
  public record InFile(String snapshot, long segment, long offsetBytes) {
    /** Checks that nothing is missing. */
    public InFile {
      Objects.requireNonNull(snapshot, "snapshot");
    }
  }

  /**
   * Something that is not as it should be.
   *
   * @param offsetBytes where on the volume
   * @param what in words
   * @param inFile which file's content it is, if it is that
   */
  public record Problem(long offsetBytes, String what, Optional<InFile> inFile) {
    /** Checks that nothing is missing. */
    public Problem {
      Objects.requireNonNull(what, "what");
      Objects.requireNonNull(inFile, "inFile");
    }

    /** Something else than content. */
    public Problem(long offsetBytes, String what) {
      this(offsetBytes, what, Optional.empty());
    }

    @Override
    public String toString() {
      return what + " at byte offset " + offsetBytes;
    }
  }
}
