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
  private static final long EMERGENCY_PART = 64;
  private static final long LEAST_EMERGENCY_BLOCKS = 64;

  /** Enough for a delete and for a cut in any tree of a small volume. */
  private static final long AMPLE_EMERGENCY_BLOCKS = 128;

  /** What a delete there needs, beside the image of what few blocks have no place yet. */
  private static final long DELETE_BLOCKS = 96;

  private static final long AMPLE_PART = 32;

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
    long ample = Math.min(AMPLE_EMERGENCY_BLOCKS, totalBlocks / AMPLE_PART);
    long wanted = Math.max(ample, totalBlocks / EMERGENCY_PART);
    return Math.min(maxEmergencyBlocks, Math.max(LEAST_EMERGENCY_BLOCKS, wanted));
  }

  /** How many of so many blocks of the pool cuts leave to what gives back. */
  static long leftByCuts(long poolBlocks) {
    long cutBlocks = AMPLE_EMERGENCY_BLOCKS - DELETE_BLOCKS;
    return Math.max(poolBlocks / 2, Math.min(DELETE_BLOCKS, poolBlocks - cutBlocks));
  }

  /** How many chunks describe a volume of so many blocks. */
  int chunks(long totalBlocks) {
    return Math.toIntExact((totalBlocks + chunkBlocks - 1) / chunkBlocks);
  }
}
