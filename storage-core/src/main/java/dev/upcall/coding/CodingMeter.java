package dev.upcall.coding;

import dev.upcall.io.Disk;

/** Counts what is compressed and decoded. Plain fields of the dispatcher's thread. */
public final class CodingMeter {
  private long codedBlocks;
  private long storedBlocks;
  private long plainBlocks;
  private long decodedBlocks;

  /** So many blocks of content are stored in fewer. */
  public void coded(int blocks, int stored) {
    codedBlocks += blocks;
    storedBlocks += stored;
  }

  /** So many blocks that were to be compressed are stored as they are. */
  public void plain(int blocks) {
    plainBlocks += blocks;
  }

  /** So many blocks of content were decoded. */
  public void decoded(int blocks) {
    decodedBlocks += blocks;
  }

  /** All that was counted. */
  public CodingCounters counters() {
    return new CodingCounters(
        codedBlocks * Disk.BLOCK_BYTES,
        storedBlocks * Disk.BLOCK_BYTES,
        plainBlocks * Disk.BLOCK_BYTES,
        decodedBlocks * Disk.BLOCK_BYTES);
  }
}
