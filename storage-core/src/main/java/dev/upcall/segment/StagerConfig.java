package dev.upcall.segment;

import dev.upcall.config.Limits;

/**
 * Limits of new content on its way into the store.
 *
 * @param inlineBytes content up to this size lives in the inode for good
 * @param unplacedBytes content up to this size rides in the log; at most 64 KiB
 * @param writeBlocks blocks of one write of placed content; at most 256
 * @param writesInFlight how many such writes one stager has under way
 */
public record StagerConfig(
    int inlineBytes, int unplacedBytes, int writeBlocks, int writesInFlight) {
  /** What else stands in the record that makes a file. */
  private static final int RECORD_REST_BYTES = 8192;

  /** Checks the limits. */
  public StagerConfig {
    Limits.require(
        inlineBytes >= 0 && inlineBytes <= 512,
        "inline limit must be 0 to 512 bytes, not " + inlineBytes);
    Limits.require(
        unplacedBytes >= inlineBytes && unplacedBytes <= 65536,
        "limit of unplaced content must be from the inline limit to 65536 bytes, not "
            + unplacedBytes);
    Limits.require(
        writeBlocks >= 16 && writeBlocks <= 256,
        "blocks of a write must be 16 to 256, not " + writeBlocks);
    Limits.require(writesInFlight >= 1, "writes in flight must be positive, not " + writesInFlight);
  }

  /** The limits of a real store. */
  public static StagerConfig standard() {
    return new StagerConfig(512, 65536, 256, 4);
  }

  /**
   * These limits, with content that rides in the log small enough for a log record of so many
   * bytes.
   */
  public StagerConfig withinRecord(int recordBytes) {
    int unplaced = Math.max(inlineBytes, Math.min(unplacedBytes, recordBytes - RECORD_REST_BYTES));
    return new StagerConfig(inlineBytes, unplaced, writeBlocks, writesInFlight);
  }
}
