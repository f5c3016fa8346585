package dev.upcall.buffer;

import dev.upcall.base.Invariants;
import dev.upcall.coding.StoredUnit;
import dev.upcall.space.Extent;
import org.jspecify.annotations.Nullable;

/**
 * Consecutive blocks of the volume with the checksums that their content must have.
 *
 * @param firstBlock address of the first block
 * @param blocks how many, 1 to {@link #MAX_BLOCKS}
 * @param crcs CRC32C per block; must not change any more: loads and frames keep it
 * @param crcOffset index in {@code crcs} of the first block's checksum
 * @param unit of which these are decoded blocks, at the addresses that those have; or null
 */
public record BlockRun(
    long firstBlock, int blocks, int[] crcs, int crcOffset, @Nullable StoredUnit unit) {
  /** The longest run that one request may ask for. */
  public static final int MAX_BLOCKS = 256;

  /** Checks the limits. */
  public BlockRun {
    Invariants.check(firstBlock >= 0, "run at negative address", firstBlock);
    Invariants.check(blocks > 0 && blocks <= MAX_BLOCKS, "run of a wrong length", blocks);
    Invariants.check(
        unit != null || (crcOffset >= 0 && crcOffset + blocks <= crcs.length),
        "run with too few checksums",
        crcs.length,
        (long) crcOffset + blocks);
  }

  /** Blocks that are stored as they are. */
  public BlockRun(long firstBlock, int blocks, int[] crcs, int crcOffset) {
    this(firstBlock, blocks, crcs, crcOffset, null);
  }

  /** Decoded blocks of a unit. */
  public BlockRun(long firstBlock, int blocks, StoredUnit unit) {
    this(firstBlock, blocks, unit.checksums(), 0, unit);
  }

  /** Whether what is stored in an extent is what these blocks come from. */
  boolean isIn(Extent extent) {
    StoredUnit coded = unit;
    long first = coded == null ? firstBlock : coded.extent().block();
    long behind = coded == null ? end() : coded.extent().end();
    return first < extent.end() && extent.block() < behind;
  }

  /** The first address behind the run. */
  long end() {
    return firstBlock + blocks;
  }

  /**
   * The mark by which the content of one of the run's blocks is known: the checksum that it must
   * have; of a decoded block, its unit's mark.
   */
  public int crcOf(long block) {
    StoredUnit coded = unit;
    return coded != null ? coded.mark() : crcs[crcOffset + (int) (block - firstBlock)];
  }
}
