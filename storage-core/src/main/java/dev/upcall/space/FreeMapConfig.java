package dev.upcall.space;

import dev.upcall.base.Invariants;

/**
 * The geometry of a free-space map.
 *
 * @param volumeId written into each block of the image and demanded back
 * @param blockBytes size of a block of the volume, and of a block of the image
 * @param firstBlock everything before it is never handed out
 * @param chunkBlocks how many blocks of the volume one block of the image describes; a multiple of
 *     64
 * @param maxEmergencyBlocks the most that only {@link Reserve#EMERGENCY} may use
 */
public record FreeMapConfig(
    long volumeId, int blockBytes, long firstBlock, int chunkBlocks, long maxEmergencyBlocks) {
  /**
   * One block of so many of the volume is in the pool: trees grow with the volume, and a delete
   * writes each page on its way in two copies.
   */
  private static final long VOLUME_BLOCKS_FOR_ONE = 64;

  /**
   * Blocks that a delete on a small volume may need until a checkpoint has ended: two copies of the
   * pages that it changes in each tree, and two places for each of the few blocks of content that
   * have none yet. 64 were too few for both; {@code CutOnFullVolumeTest} and the simulator ask.
   */
  private static final long DELETE_BLOCKS = 96;

  /** Blocks that cuts of a small volume may keep, a few each, until something is deleted. */
  private static final long CUT_BLOCKS = 32;

  /** The pool of a small volume, in blocks, where that is not too much of it. */
  private static final long SMALL_POOL_BLOCKS = DELETE_BLOCKS + CUT_BLOCKS;

  /** One block of so many is the most that a small volume is asked for that. */
  private static final long SMALL_VOLUME_BLOCKS_FOR_ONE = 32;

  /** Blocks of the smallest pool, of volumes below 2,048 blocks, which only tests have. */
  private static final long LEAST_POOL_BLOCKS = 64;

  /** Checks the relations. */
  public FreeMapConfig {
    Invariants.check(firstBlock >= 0, "first block", firstBlock);
    Invariants.check(maxEmergencyBlocks >= 0, "emergency pool", maxEmergencyBlocks);
    Invariants.check(chunkBlocks > 0 && chunkBlocks % 64 == 0, "chunk", chunkBlocks);
    Invariants.check(
        chunkBlocks / 8 + MapChunk.HEADER_BYTES <= blockBytes,
        "chunk does not fit its block",
        chunkBlocks,
        blockBytes);
  }

  /**
   * Size of the pool of a volume of so many blocks: a part of it, since what a delete writes grows
   * with what the trees hold.
   */
  long emergencyBlocks(long totalBlocks) {
    long small = Math.min(SMALL_POOL_BLOCKS, totalBlocks / SMALL_VOLUME_BLOCKS_FOR_ONE);
    long wanted = Math.max(small, totalBlocks / VOLUME_BLOCKS_FOR_ONE);
    return Math.min(maxEmergencyBlocks, Math.max(LEAST_POOL_BLOCKS, wanted));
  }

  /**
   * How many of so many blocks of the pool cuts leave to what gives back: half; of a small one what
   * a delete needs, if that leaves cuts what they are meant to have.
   */
  static long leftByCuts(long poolBlocks) {
    return Math.max(poolBlocks / 2, Math.min(DELETE_BLOCKS, poolBlocks - CUT_BLOCKS));
  }

  /** How many chunks describe a volume of so many blocks. */
  int chunks(long totalBlocks) {
    return Math.toIntExact((totalBlocks + chunkBlocks - 1) / chunkBlocks);
  }
}
