package dev.upcall.space;

import java.util.List;

/** What became of an attempt to load a free-space map. */
public sealed interface MapLoad {
  /**
   * The map is whole.
   *
   * @param lacking where copies of it are not, which the next image writes
   */
  record Loaded(FreeMap map, List<Lack> lacking) implements MapLoad {
    /** Copies the list. */
    public Loaded {
      lacking = List.copyOf(lacking);
    }
  }

  /**
   * A block that should hold a chunk of the map and does not.
   *
   * @param homeBlock counted from the start of its copy's homes
   */
  record Lack(int copy, long homeBlock) {}

  /**
   * The map is not the one that the superblock names.
   *
   * @param what which fact did not hold
   * @param chunk of which chunk, or -1 if of all together
   */
  record Corrupt(String what, int chunk, long expected, long found) implements MapLoad {}
}
