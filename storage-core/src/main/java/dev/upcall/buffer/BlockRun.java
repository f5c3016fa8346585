package dev.upcall.buffer;

import dev.upcall.base.Invariants;

/**
 * Consecutive blocks of the volume with the checksums that their content must have.
 *
 * @param firstBlock address of the first block
 * @param blocks how many, 1 to {@link #MAX_BLOCKS}
 * @param crcs CRC32C per block; must not change any more: loads and frames keep it
 * @param crcOffset index in {@code crcs} of the first block's checksum
 */
public record BlockRun(long firstBlock, int blocks, int[] crcs, int crcOffset) {
  /** The longest run that one request may ask for. */
  public static final int MAX_BLOCKS = 256;

  /** Checks the limits. */
  public BlockRun {
    Invariants.check(firstBlock >= 0, "run at negative address", firstBlock);
    Invariants.check(blocks > 0 && blocks <= MAX_BLOCKS, "run of a wrong length", blocks);
    Invariants.check(
        crcOffset >= 0 && crcOffset + blocks <= crcs.length,
        "run with too few checksums",
        crcs.length,
        (long) crcOffset + blocks);
  }

  /** The first address behind the run. */
  long end() {
    return firstBlock + blocks;
  }

  /** The checksum that the content of one of the run's blocks must have. */
  public int crcOf(long block) {
    return crcs[crcOffset + (int) (block - firstBlock)];
  }
}
