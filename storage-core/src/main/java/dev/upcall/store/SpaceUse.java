package dev.upcall.store;

/**
 * Where the space of a volume is, and what its files save of it, counted by a walk over a
 * checkpoint. Two sums are exact, and each number is counted by itself:
 *
 * <pre>
 * logical + unused = stored + savedByCompression + savedBySharing + holes + inline
 * volume           = fixed + metadata + stored + leaving + snapshots + free
 * </pre>
 *
 * @param logicalBytes sizes of all files, symbolic links and large values of tables
 * @param storedBytes blocks with their content, what files share once, with what at the checkpoint
 *     was on its way to its place
 * @param savedByCompressionBytes how many blocks more it would take as it is
 * @param savedBySharingBytes content in blocks that somebody else, or the same file elsewhere, is
 *     counted with: of clones, deduplication and copied ranges
 * @param holeBytes by how much sizes of files are more than what is in their blocks
 * @param inlineBytes content so small that it lies in metadata
 * @param unusedBytes what no content uses in blocks that have some: behind the ends of files, of
 *     files that were edited in the middle, and of compressed units that were partly overwritten
 * @param fixedBytes superblocks, log, and homes of the free-space map
 * @param metadataBytes tree pages, and the bits of snapshots, all their copies
 * @param leavingBytes content of deleted files whose blocks are on their way back
 * @param snapshotBytes blocks that nobody needs but named snapshots
 * @param freeBytes all others inside the volume's size
 */
public record SpaceUse(
    long logicalBytes,
    long storedBytes,
    long savedByCompressionBytes,
    long savedBySharingBytes,
    long holeBytes,
    long inlineBytes,
    long unusedBytes,
    long fixedBytes,
    long metadataBytes,
    long leavingBytes,
    long snapshotBytes,
    long freeBytes) {
  /** Nothing was counted. */
  public static final SpaceUse NONE = new SpaceUse(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  /** The second sum: the size of the volume. */
  public long volumeBytes() {
    return fixedBytes + metadataBytes + storedBytes + leavingBytes + snapshotBytes + freeBytes;
  }

  /**
   * By how much the right side of the first sum is more than the left one: 0, unless the store is
   * damaged.
   */
  public long differenceBytes() {
    return storedBytes
        + savedByCompressionBytes
        + savedBySharingBytes
        + holeBytes
        + inlineBytes
        - unusedBytes
        - logicalBytes;
  }
}
