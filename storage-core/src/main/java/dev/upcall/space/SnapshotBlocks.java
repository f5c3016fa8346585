package dev.upcall.space;

import dev.upcall.base.Invariants;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The blocks that were committed when a snapshot was made, one bit each, cut into chunks as the
 * free-space map is. Filled once, chunk by chunk; a chunk that has been set never changes, and
 * shares the memory of an equal one in a similar snapshot.
 */
public final class SnapshotBlocks {
  private final FreeMapConfig config;
  private final long[] @Nullable [] chunks;
  private @Nullable SnapshotBlocks similar;
  private int known;

  /**
   * Nothing is known yet.
   *
   * @param totalBlocks size of the volume at that moment
   * @param similar where equal chunks are likely, or null; let go when all chunks are known
   */
  SnapshotBlocks(FreeMapConfig config, long totalBlocks, @Nullable SnapshotBlocks similar) {
    this.config = config;
    this.chunks = new long[config.chunks(totalBlocks)][];
    this.similar = similar;
  }

  /** Blocks that are only looked at and held by nobody, to be filled. */
  public static SnapshotBlocks unheld(FreeMapConfig config, long totalBlocks) {
    return new SnapshotBlocks(config, totalBlocks, null);
  }

  /** How many chunks there are, each of them a block on the volume. */
  public int count() {
    return chunks.length;
  }

  /** Whether all chunks are known. */
  boolean isComplete() {
    return known == chunks.length;
  }

  /** Whether a chunk is known. */
  boolean has(int chunk) {
    return chunk < chunks.length && chunks[chunk] != null;
  }

  /** The words of a chunk, not to be changed; null behind the end, or as long as it is unknown. */
  long @Nullable [] words(int chunk) {
    return chunk < chunks.length ? chunks[chunk] : null;
  }

  /** Takes a chunk. */
  void set(int chunk, long[] words) {
    Invariants.check(!has(chunk), "a chunk of a snapshot's blocks set twice", chunk);
    long[] other = similar == null ? null : similar.words(chunk);
    chunks[chunk] = other != null && Arrays.equals(other, words) ? other : words;
    known++;
    if (isComplete()) {
      similar = null;
    }
  }

  /**
   * A chunk as it is stored.
   *
   * @param seq sequence of the map's image that the snapshot holds
   */
  public MapChunk encode(int chunk, long seq) {
    long[] words = Invariants.present(words(chunk), "a chunk of a snapshot's blocks");
    byte[] image = MapChunk.encode(MapChunk.SNAPSHOT_MAGIC, config, chunk, seq, words);
    return new MapChunk(
        chunk, 0, ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN).getInt(4), image);
  }

  /**
   * Takes a chunk from the block that holds it, from its position on, which stays.
   *
   * @return what it contributes to the digest; null if it is not that chunk of that image
   */
  public @Nullable Long accept(int chunk, long seq, ByteBuffer block) {
    MapChunk.Decoded decoded = MapChunk.decode(MapChunk.SNAPSHOT_MAGIC, config, block);
    if (decoded == null || decoded.chunk() != chunk || decoded.seq() != seq) {
      return null;
    }
    set(chunk, decoded.words());
    return MapChunk.digest(chunk, decoded.crc());
  }

  /** Whether a block is one of them. */
  public boolean contains(long block) {
    long[] words = words((int) (block / config.chunkBlocks()));
    int bit = (int) (block % config.chunkBlocks());
    return words != null && (words[bit >>> 6] >>> bit & 1) != 0;
  }

  /** How many there are, those before the first extent not counted. */
  public long blocks() {
    long blocks = -config.firstBlock();
    for (long[] words : chunks) {
      for (long word : Invariants.present(words, "a chunk of a snapshot's blocks")) {
        blocks += Long.bitCount(word);
      }
    }
    return blocks;
  }
}
