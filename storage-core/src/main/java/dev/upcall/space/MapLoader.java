package dev.upcall.space;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Puts a free-space map together from the blocks of its homes, of all copies, given in any order:
 * of each chunk the newest valid one that is not newer than the superblock.
 */
public final class MapLoader {
  private final FreeMapConfig config;
  private final long totalBlocks;
  private final long seq;
  private final MapChunks chunks;
  private final int copies;
  private final long[] newest;

  /** Which copies hold the newest image of a chunk: a bit each. */
  private final int[] found;

  /** Chunks that may have an image of a checkpoint that never was; its sequence may come again. */
  private final boolean[] leftOver;

  /**
   * Begins.
   *
   * @param config the geometry
   * @param totalBlocks size of the volume, from the superblock
   * @param seq sequence of the map's image, from the superblock
   * @param copies how many copies there are
   */
  public MapLoader(FreeMapConfig config, long totalBlocks, long seq, int copies) {
    this.config = config;
    this.totalBlocks = totalBlocks;
    this.seq = seq;
    this.copies = copies;
    chunks = new MapChunks(config, totalBlocks);
    newest = new long[chunks.count()];
    Arrays.fill(newest, -1);
    found = new int[chunks.count()];
    leftOver = new boolean[chunks.count()];
  }

  /** How many blocks there are to read of each copy, from the start of its homes. */
  public long homeBlocks() {
    return 2L * newest.length;
  }

  /**
   * Takes one block, from its position on; position and limit stay. A block that is not valid is
   * passed over: another copy, or the chunk's other home, may be.
   *
   * @param copy which one it was read in
   * @param homeBlock where, counted from the start of the copy's homes
   */
  public void accept(int copy, long homeBlock, ByteBuffer block) {
    int chunk = Math.toIntExact(homeBlock / 2);
    byte home = (byte) (homeBlock % 2);
    MapChunk.Decoded decoded = MapChunk.decode(MapChunk.MAGIC, config, block);
    if (decoded == null || decoded.chunk() != chunk) {
      return;
    }
    long age = decoded.seq();
    if (age > seq) {
      leftOver[chunk] = true;
      return;
    }
    if (age == newest[chunk] && home == chunks.home(chunk)) {
      found[chunk] |= 1 << copy;
      return;
    }
    // Two homes of one sequence: the chunk was cut off by a shrink while a checkpoint that never
    // was left an image in its second home. A chunk that comes back begins with its first home.
    if (age < newest[chunk] || (age == newest[chunk] && home != 0)) {
      return;
    }
    newest[chunk] = age;
    found[chunk] = 1 << copy;
    chunks.loaded(chunk, home, decoded.crc());
    long[] words = decoded.words();
    for (int i = 0; i < words.length; i++) {
      chunks.committed().setWord((long) chunk * words.length + i, words[i]);
    }
  }

  /** A block that cannot be read: whatever it holds, and shows later, the next image overwrites. */
  public void unreadable(long homeBlock) {
    leftOver[Math.toIntExact(homeBlock / 2)] = true;
  }

  /** Ends: the map, if every chunk was found and all together are those of the superblock. */
  public MapLoad finish(long digest) {
    for (int chunk = 0; chunk < chunks.count(); chunk++) {
      if (!chunks.isLoaded(chunk)) {
        return new MapLoad.Corrupt(
            "no valid copy of a chunk of the free-space map", chunk, seq, -1);
      }
    }
    long found = chunks.digest(chunks.count());
    if (found != digest) {
      return new MapLoad.Corrupt("digest of the free-space map", -1, digest, found);
    }
    long behind = (long) chunks.count() * config.chunkBlocks();
    if (totalBlocks < behind && !chunks.committed().none(totalBlocks, behind)) {
      return new MapLoad.Corrupt("blocks behind the volume's end", chunks.count() - 1, 0, 1);
    }
    if (config.firstBlock() > 0 && !chunks.committed().all(0, config.firstBlock())) {
      return new MapLoad.Corrupt("blocks before the first extent", 0, 1, 0);
    }
    List<MapLoad.Lack> lacking = lacking();
    boolean[] toWrite = leftOver.clone();
    lacking.forEach(lack -> toWrite[(int) (lack.homeBlock() / 2)] = true);
    chunks.loadedAll(seq, toWrite);
    return new MapLoad.Loaded(new FreeMap(config, totalBlocks, chunks), lacking);
  }

  private List<MapLoad.Lack> lacking() {
    List<MapLoad.Lack> lacking = new ArrayList<>();
    for (int chunk = 0; chunk < found.length; chunk++) {
      for (int copy = 0; copy < copies; copy++) {
        if ((found[chunk] >> copy & 1) == 0) {
          lacking.add(new MapLoad.Lack(copy, 2L * chunk + chunks.home(chunk)));
        }
      }
    }
    return lacking;
  }
}
