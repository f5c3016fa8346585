package dev.upcall.space;

import dev.upcall.base.Invariants;
import java.util.ArrayDeque;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The image of a free-space map at a checkpoint: the chunks that changed since the image before.
 * They are encoded one by one while the map goes on; one that is about to change is encoded first,
 * so all of them are as they were when the image began. Owner's thread of the map.
 */
public final class MapImage {
  private final MapChunks map;
  private final long seq;
  private final long totalBlocks;
  private final int count;

  /** Chunks that are not encoded yet. */
  private final BitSet left;

  /** Encoded because they were about to change. */
  private final ArrayDeque<MapChunk> early = new ArrayDeque<>();

  private long digest;
  private boolean follows;

  /**
   * Begins; the moment is now.
   *
   * @param count how many chunks the map has
   * @param left those of them that have changed; the image's own from here on
   */
  MapImage(MapChunks map, long seq, long totalBlocks, int count, BitSet left) {
    this.map = map;
    this.seq = seq;
    this.totalBlocks = totalBlocks;
    this.count = count;
    this.left = left;
    encoded();
  }

  /** Sequence of the image, for the superblock. */
  public long seq() {
    return seq;
  }

  /** Size of the volume that it describes, for the superblock. */
  public long totalBlocks() {
    return totalBlocks;
  }

  /** Over the checksums of all chunks, changed or not, for the superblock; once all are taken. */
  public long digest() {
    Invariants.check(isTaken(), "digest of an image that was not taken", seq);
    return digest;
  }

  /** Whether {@link #next} has handed out all that has to be written. */
  public boolean isTaken() {
    return left.isEmpty() && early.isEmpty();
  }

  /** The next chunk to be written, each once; null behind the last one. */
  public @Nullable MapChunk next() {
    MapChunk encoded = early.poll();
    if (encoded != null) {
      return encoded;
    }
    int chunk = left.nextSetBit(0);
    return chunk < 0 ? null : encode(chunk);
  }

  /** A chunk of the map is about to change. */
  void changes(int chunk) {
    if (left.get(chunk) && !follows) {
      early.add(encode(chunk));
    }
  }

  /** Broken on purpose: a chunk is as it is when it is handed out. */
  public void followChanges() {
    follows = true;
  }

  private MapChunk encode(int chunk) {
    left.clear(chunk);
    MapChunk encoded = map.encode(chunk);
    encoded();
    return encoded;
  }

  private void encoded() {
    if (left.isEmpty()) {
      // Now: the next image has other checksums.
      digest = map.digest(count);
    }
  }
}
