package dev.upcall.bench.proxy.finite;

/**
 * A mapped file of bounded size.
 *
 * @param fileBytes how large it is
 * @param memoryBytes how much memory its pages have
 * @param flushRequests after so many requests all dirty pages are written
 */
public record FiniteConfig(long fileBytes, long memoryBytes, int flushRequests) {
  private static final int MB = 1 << 20;
  private static final int SCALE = 10;

  /** The paper's: 160 MB, 24 MB of memory. */
  public static final FiniteConfig PAPER = new FiniteConfig(160L * MB, 24L * MB, 180);

  /** A tenth of it. */
  public FiniteConfig scaled() {
    return new FiniteConfig(fileBytes / SCALE, memoryBytes / SCALE, flushRequests);
  }

  /** The same with other memory. */
  public FiniteConfig withMemory(long megabytes) {
    return new FiniteConfig(fileBytes, megabytes * MB, flushRequests);
  }

  /** The same with another interval. */
  public FiniteConfig withFlush(int requests) {
    return new FiniteConfig(fileBytes, memoryBytes, requests);
  }
}
