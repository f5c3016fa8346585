package dev.upcall.pressure;

/** What a store can be short of. */
public enum Scarce {
  /** Blocks of the log's ring; a checkpoint makes them free. */
  LOG("log"),
  /** Frames under content that has no place yet; write-back gives it one. */
  UNPLACED("unplaced"),
  /** Changed tree pages in memory; a checkpoint makes them clean. */
  PAGES("dirty.pages"),
  /**
   * Blocks of the volume: it grows, and a checkpoint makes free what was freed. Its level is a
   * percentage: what only a checkpoint would bring, of that and what is left.
   */
  SPACE("space"),
  /** Copies that open snapshots may need of unplaced content; write-back, and their closing. */
  COPIES("snapshot.copies"),
  /** Frames that requests wait for, in a line of the buffer manager's own. */
  FRAMES("frames");

  private final String label;

  Scarce(String label) {
    this.label = label;
  }

  /** As meters name it. */
  public String label() {
    return label;
  }
}
