package dev.upcall.bench.proxy.layout;

/**
 * The constants of the counted machine.
 *
 * @param part one in so many of the paper's requests, pages and directories
 * @param memoryPages of 8 KB, for all that is in memory; the mapped file has three of eight
 * @param nameEntries of the cache of names
 * @param flushRequests after so many requests all that is dirty is written
 * @param directoriesPerGroup of the 4,096 that Squid has; 0 to spread them over all groups
 * @param readsHoles whether a page of the mapped file to which nothing was written yet is read
 */
public record ModelConfig(
    int part,
    int memoryPages,
    int nameEntries,
    int flushRequests,
    int directoriesPerGroup,
    boolean readsHoles) {
  /**
   * The constants calibrated on figure 4 and frozen since: 256 MB, the least memory of those tried
   * with which reads are a third of Squid's requests. 4,096 names; all is flushed every 30 s at six
   * requests a second.
   */
  public static final ModelConfig PAPER =
      new ModelConfig(1, 32_768, 4_096, 180, /* directoriesPerGroup= */ 0, /* readsHoles= */ false);

  private static final int SCALE = 10;
  private static final int MAPPED_EIGHTHS = 3;
  private static final int PAGES_PER_MB = 128;

  /** Requests arrive at the mean rate of the paper's traces. */
  static final double REQUESTS_PER_SECOND = 6;

  /** A tenth of it. */
  public ModelConfig scaled() {
    return new ModelConfig(
        SCALE,
        memoryPages / SCALE,
        nameEntries / SCALE,
        flushRequests,
        directoriesPerGroup,
        readsHoles);
  }

  /** The same with other memory, of the whole machine. */
  public ModelConfig withMemory(int megabytes) {
    return new ModelConfig(
        part,
        megabytes * PAGES_PER_MB / part,
        nameEntries,
        flushRequests,
        directoriesPerGroup,
        readsHoles);
  }

  /** The same with another interval. */
  public ModelConfig withFlush(int requests) {
    return new ModelConfig(
        part, memoryPages, nameEntries, requests, directoriesPerGroup, readsHoles);
  }

  /** The same with directories in fewer groups. */
  public ModelConfig withDirectoriesPerGroup(int directories) {
    return new ModelConfig(part, memoryPages, nameEntries, flushRequests, directories, readsHoles);
  }

  /** The same where all pages of the mapped file were written in advance. */
  public ModelConfig readingHoles() {
    return new ModelConfig(
        part, memoryPages, nameEntries, flushRequests, directoriesPerGroup, /* readsHoles= */ true);
  }

  /** Pages of the mapped file in memory. */
  public int mappedMemoryPages() {
    return memoryPages * MAPPED_EIGHTHS / 8;
  }

  /** Directories of the second level in each of the sixteen of the first. */
  public int secondLevel() {
    return part == 1 ? SquidPlaces.SECOND_LEVEL : SquidPlaces.SECOND_LEVEL / 8;
  }
}
