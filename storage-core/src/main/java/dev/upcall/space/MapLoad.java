package dev.upcall.space;

/** What became of an attempt to load a free-space map. */
public sealed interface MapLoad {
  /** The map is whole. */
  record Loaded(FreeMap map) implements MapLoad {}

  /**
   * The map is not the one that the superblock names.
   *
   * @param what which fact did not hold
   * @param chunk of which chunk, or -1 if of all together
   */
  record Corrupt(String what, int chunk, long expected, long found) implements MapLoad {}
}
