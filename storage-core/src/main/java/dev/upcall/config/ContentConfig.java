package dev.upcall.config;

import java.util.Objects;

/**
 * How new content goes to its place.
 *
 * @param gatherBytes how much of it is gathered in memory before one request for space, from which
 *     it is written in pieces of at most 1 MiB; a multiple of 64 KiB, from {@link
 *     #MIN_GATHER_BYTES} to {@link #MAX_GATHER_BYTES}. More makes large files lie in fewer pieces;
 *     each file that is being written holds up to twice as much. In the engines of threads it means
 *     nothing
 * @param maxKnown how many contents are remembered, so that files with the option {@link
 *     Dedup#FILE} are found to have the same: 1 to {@link #MOST_KNOWN}. For each more another one
 *     is forgotten; an entry takes about 100 bytes of the volume
 * @param dedup whether files share what others have already, where neither they nor their directory
 *     say so
 * @param compression how files are stored, where neither they nor their directory say so; what is
 *     not {@link Compression#NONE} needs a codec. In the engines of threads it means nothing
 */
public record ContentConfig(int gatherBytes, int maxKnown, Dedup dedup, Compression compression) {
  /** The least that is gathered. */
  public static final int MIN_GATHER_BYTES = 64 << 10;

  /** The most that is gathered. */
  public static final int MAX_GATHER_BYTES = 16 << 20;

  /** The most contents that can be remembered. */
  public static final int MOST_KNOWN = 1 << 30;

  /** The defaults: 1 MiB, about a million contents, nothing shared, and nothing compressed. */
  public static final ContentConfig DEFAULT =
      new ContentConfig(1 << 20, 1 << 20, Dedup.NONE, Compression.NONE);

  /** Checks the limits. */
  public ContentConfig {
    Limits.within("content.gatherBytes", gatherBytes, MIN_GATHER_BYTES, MAX_GATHER_BYTES);
    Limits.require(
        gatherBytes % MIN_GATHER_BYTES == 0,
        "content.gatherBytes is " + gatherBytes + ", must be a multiple of " + MIN_GATHER_BYTES);
    Limits.within("content.maxKnown", maxKnown, 1, MOST_KNOWN);
    Objects.requireNonNull(dedup, "dedup");
    Objects.requireNonNull(compression, "compression");
  }

  /** The same with another gather, in bytes. */
  public ContentConfig withGatherBytes(int bytes) {
    return new ContentConfig(bytes, maxKnown, dedup, compression);
  }

  /** The same with another number of contents that are remembered. */
  public ContentConfig withMaxKnown(int contents) {
    return new ContentConfig(gatherBytes, contents, dedup, compression);
  }

  /** The same with another option where neither a file nor its directory has one. */
  public ContentConfig withDedup(Dedup option) {
    return new ContentConfig(gatherBytes, maxKnown, option, compression);
  }

  /** The same with another compression where neither a file nor its directory has one. */
  public ContentConfig withCompression(Compression degree) {
    return new ContentConfig(gatherBytes, maxKnown, dedup, degree);
  }
}
