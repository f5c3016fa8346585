package dev.upcall.segment;

import dev.upcall.config.Compression;
import dev.upcall.config.ContentConfig;
import dev.upcall.config.Limits;
import dev.upcall.io.Disk;

/**
 * Limits of new content on its way into the store.
 *
 * @param inlineBytes content up to this size lives in the inode for good
 * @param unplacedBytes content up to this size rides in the log; at most 64 KiB
 * @param gatherBlocks blocks for which space is asked at once; at most 4,096
 * @param writesInFlight how many writes, of 256 blocks at most, one stager has under way when it
 *     begins another gather
 * @param dedup how content is found again that a file has already
 * @param compression how content is stored of which nobody says it
 */
public record StagerConfig(
    int inlineBytes,
    int unplacedBytes,
    int gatherBlocks,
    int writesInFlight,
    DedupConfig dedup,
    Compression compression) {
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
        gatherBlocks >= 16 && gatherBlocks <= 4096,
        "blocks of a gather must be 16 to 4096, not " + gatherBlocks);
    Limits.require(writesInFlight >= 1, "writes in flight must be positive, not " + writesInFlight);
  }

  /** The limits of a real store. */
  public static StagerConfig standard() {
    return new StagerConfig(512, 65536, 256, 4, DedupConfig.STANDARD, Compression.NONE);
  }

  /** The same with another way of content to its place. */
  public StagerConfig withContent(ContentConfig content) {
    return new StagerConfig(
        inlineBytes,
        unplacedBytes,
        content.gatherBytes() / Disk.BLOCK_BYTES,
        writesInFlight,
        dedup.withContent(content),
        content.compression());
  }

  /**
   * These limits, with content that rides in the log small enough for a log record of so many
   * bytes.
   */
  public StagerConfig withinRecord(int recordBytes) {
    int unplaced = Math.max(inlineBytes, Math.min(unplacedBytes, recordBytes - RECORD_REST_BYTES));
    return new StagerConfig(
        inlineBytes, unplaced, gatherBlocks, writesInFlight, dedup, compression);
  }
}
