package dev.upcall.segment;

import dev.upcall.config.ContentConfig;
import dev.upcall.config.Dedup;
import dev.upcall.config.Limits;
import dev.upcall.io.Disk;

/**
 * How content is found again that a file has already.
 *
 * @param prefixBytes over so much of the beginning goes the first hash; content that is no larger
 *     is not looked for. Whole blocks, at most 64 KiB
 * @param hashBits so many bits of each hash are used: 128, and fewer where tests want other content
 *     to have the same
 * @param maxEntries contents that are remembered at most; for each more another one is forgotten
 * @param usual whether files are looked for of which nobody says it
 */
public record DedupConfig(int prefixBytes, int hashBits, int maxEntries, Dedup usual) {
  /** All of the hashes, and about a million contents. */
  public static final DedupConfig STANDARD = new DedupConfig(64 << 10, 128, 1 << 20, Dedup.NONE);

  /** Checks the limits. */
  public DedupConfig {
    Limits.within("dedup.prefixBytes", prefixBytes, Disk.BLOCK_BYTES, DataRun.FRAME_BYTES);
    Limits.require(
        prefixBytes % Disk.BLOCK_BYTES == 0,
        "dedup.prefixBytes must be whole blocks, not " + prefixBytes);
    Limits.within("dedup.hashBits", hashBits, Byte.SIZE, 128);
    Limits.within("dedup.maxEntries", maxEntries, 1, 1 << 30);
  }

  /** The same with what users say of it. */
  DedupConfig withContent(ContentConfig content) {
    return new DedupConfig(prefixBytes, hashBits, content.maxKnown(), content.dedup());
  }
}
