package dev.upcall.config;

/**
 * How new content goes to its place.
 *
 * @param gatherBytes how much of it is gathered in memory before one request for space, from which
 *     it is written in pieces of at most 1 MiB; a multiple of 64 KiB, from {@link
 *     #MIN_GATHER_BYTES} to {@link #MAX_GATHER_BYTES}. More makes large files lie in fewer pieces;
 *     each file that is being written holds up to twice as much. In the engines of threads it means
 *     nothing
 */
public record ContentConfig(int gatherBytes) {
  /** The least that is gathered. */
  public static final int MIN_GATHER_BYTES = 64 << 10;

  /** The most that is gathered. */
  public static final int MAX_GATHER_BYTES = 16 << 20;

  /** What is used unless said otherwise: 1 MiB. */
  public static final ContentConfig DEFAULT = new ContentConfig(1 << 20);

  /** Checks the limits. */
  public ContentConfig {
    Limits.within("content.gatherBytes", gatherBytes, MIN_GATHER_BYTES, MAX_GATHER_BYTES);
    Limits.require(
        gatherBytes % MIN_GATHER_BYTES == 0,
        "content.gatherBytes is " + gatherBytes + ", must be a multiple of " + MIN_GATHER_BYTES);
  }

  /** The same with another gather, in bytes. */
  public ContentConfig withGatherBytes(int bytes) {
    return new ContentConfig(bytes);
  }
}
