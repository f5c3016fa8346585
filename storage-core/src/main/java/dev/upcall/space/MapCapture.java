package dev.upcall.space;

/**
 * Copies which blocks are committed at one moment while the map goes on: a chunk before it changes,
 * the others little by little. What is copied is held from then on, and until it is over nothing
 * that was freed becomes free.
 */
public final class MapCapture {
  private final MapChunks map;
  private final HeldBlocks held;
  private final SnapshotBlocks blocks;
  private final int words;
  private int next;

  /** Begins; the moment is now. */
  MapCapture(MapChunks map, HeldBlocks held, SnapshotBlocks blocks, FreeMapConfig config) {
    this.map = map;
    this.held = held;
    this.blocks = blocks;
    this.words = config.chunkBlocks() / 64;
    map.capture(this);
    held.add(blocks);
  }

  /** What is being filled. */
  public SnapshotBlocks blocks() {
    return blocks;
  }

  /** Copies so many chunks at most; whether it is over. */
  public boolean step(int chunks) {
    int until = Math.min(blocks.count(), next + chunks);
    for (; next < until; next++) {
      take(next);
    }
    if (next == blocks.count()) {
      map.capture(null);
      return true;
    }
    return false;
  }

  /** A chunk is about to change. */
  void take(int chunk) {
    if (chunk < blocks.count() && !blocks.has(chunk)) {
      blocks.set(chunk, map.committed().copy((long) chunk * words, words));
      held.hold(blocks, chunk);
    }
  }
}
