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
 * @param emergencyBlocks size of the pool that only {@link Reserve#EMERGENCY} may use
 */
public record FreeMapConfig(
    long volumeId, int blockBytes, long firstBlock, int chunkBlocks, long emergencyBlocks) {
  /** Checks the relations. */
  public FreeMapConfig {
    Invariants.check(firstBlock >= 0, "first block", firstBlock);
    Invariants.check(emergencyBlocks >= 0, "emergency pool", emergencyBlocks);
    Invariants.check(chunkBlocks > 0 && chunkBlocks % 64 == 0, "chunk", chunkBlocks);
    Invariants.check(
        chunkBlocks / 8 + MapChunk.HEADER_BYTES <= blockBytes,
        "chunk does not fit its block",
        chunkBlocks,
        blockBytes);
  }

  /** How many chunks describe a volume of so many blocks. */
  int chunks(long totalBlocks) {
    return Math.toIntExact((totalBlocks + chunkBlocks - 1) / chunkBlocks);
  }
}
