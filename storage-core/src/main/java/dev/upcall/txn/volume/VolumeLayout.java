package dev.upcall.txn.volume;

import dev.upcall.base.Invariants;
import dev.upcall.io.Disk;
import dev.upcall.space.Extent;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the fixed structures of a volume lie; chosen when the volume is formatted and kept in every
 * superblock. All addresses and counts are in blocks.
 *
 * <pre>
 * 0                superblock copy 0
 * 1                superblock copy 1
 * 2                scratch block (its hole is punched to wait for a dead owner's writes)
 * 3                reserved
 * 4                log ring, logBlocks
 * 4 + logBlocks    superblock copies 2 and 3
 * 6 + logBlocks    two homes for the image of each chunk of the free-space map
 * ..               the same again, for its second copy
 * dataStart()      extents, to the end of the volume
 * </pre>
 *
 * <p>Nothing before {@link #dataStart} is ever handed out, punched or moved.
 *
 * @param logBlocks the size of the log ring, {@link #MIN_LOG_BLOCKS} to {@link #MAX_LOG_BLOCKS}
 * @param mapChunkBlocks how many blocks one chunk of the free-space map describes, a multiple of 64
 * @param maxBlocks the most blocks that the volume can ever have: there are map homes for these
 * @param mapCopies how many copies of the free-space map there are: {@link #MAP_COPIES}, or 1 on a
 *     volume that was formatted before format version 3
 */
public record VolumeLayout(int logBlocks, int mapChunkBlocks, long maxBlocks, int mapCopies) {
  /** The smallest log ring; an eighth of it still holds a batch. */
  public static final int MIN_LOG_BLOCKS = 8;

  /** The largest log ring: 4 GiB. It bounds the time of a recovery. */
  public static final int MAX_LOG_BLOCKS = 1 << 20;

  /**
   * The largest log ring that a new volume gets: 64 MiB. Bounds the search for superblock copies in
   * a file that does not begin as a volume.
   */
  public static final int MAX_NEW_LOG_BLOCKS = 1 << 14;

  /** The most blocks that one chunk of the map may describe, so that it fits its block. */
  public static final int MAX_MAP_CHUNK_BLOCKS = (Disk.BLOCK_BYTES - 64) * 8;

  /** How many copies of the superblock a volume holds. */
  public static final int SUPERBLOCK_COPIES = 4;

  /** How many copies of the free-space map a volume gets. */
  public static final int MAP_COPIES = 2;

  private static final long LOG_START = 4;
  private static final long MAX_PIECE_BLOCKS = Disk.MAX_TRANSFER_BYTES / Disk.BLOCK_BYTES;

  /** Checks the geometry. */
  public VolumeLayout {
    String flaw = flaw(logBlocks, mapChunkBlocks, maxBlocks, mapCopies);
    Invariants.check(flaw.isEmpty(), "not a volume layout", flaw);
  }

  /** The layout of a volume that is formatted now. */
  public VolumeLayout(int logBlocks, int mapChunkBlocks, long maxBlocks) {
    this(logBlocks, mapChunkBlocks, maxBlocks, MAP_COPIES);
  }

  /** Whether a geometry read from a disk is one; the constructor insists on it. */
  static boolean isSound(int logBlocks, int mapChunkBlocks, long maxBlocks, int mapCopies) {
    return flaw(logBlocks, mapChunkBlocks, maxBlocks, mapCopies).isEmpty();
  }

  private static String flaw(int logBlocks, int mapChunkBlocks, long maxBlocks, int mapCopies) {
    if (logBlocks < MIN_LOG_BLOCKS || logBlocks > MAX_LOG_BLOCKS) {
      return "log of " + logBlocks + " blocks";
    }
    if (mapChunkBlocks < 64 || mapChunkBlocks > MAX_MAP_CHUNK_BLOCKS || mapChunkBlocks % 64 != 0) {
      return "map chunk of %d blocks, which is not a multiple of 64 up to %d"
          .formatted(mapChunkBlocks, MAX_MAP_CHUNK_BLOCKS);
    }
    if (maxBlocks < 1 || maxBlocks > 1L << 44) {
      return "at most " + maxBlocks + " blocks";
    }
    if (mapCopies < 1 || mapCopies > MAP_COPIES) {
      return mapCopies + " copies of the map";
    }
    long chunks = (maxBlocks + mapChunkBlocks - 1) / mapChunkBlocks;
    long dataStart = LOG_START + logBlocks + 2 + 2 * chunks * mapCopies;
    return maxBlocks > dataStart ? "" : maxBlocks + " blocks leave none for data";
  }

  /** The first block of the log ring. */
  public long logStart() {
    return LOG_START;
  }

  /** The block at which a log position lies. Positions count blocks ever written, from 0. */
  public long logBlock(long position) {
    return LOG_START + position % logBlocks;
  }

  /** In such steps the ring is prepared: an eighth of it. */
  public int logStepBlocks() {
    return Math.max(2, logBlocks / 8);
  }

  /**
   * How much of the ring is <em>prepared</em> before a batch that ends at a position is written:
   * has its room on the device, full of zeros, so that writing the log neither meets a full device
   * nor extends or converts anything. In the second half of a step that is the step behind it, too.
   */
  public int preparedLogBlocks(long position) {
    long step = logStepBlocks();
    return (int) Math.min(logBlocks, (position + step / 2 + step - 1) / step * step);
  }

  /**
   * What lies before the extents of a volume of that size and must have room: all but what is left
   * of a ring that nobody has come to, and the homes of chunks that there are not yet.
   */
  public List<Extent> fixedParts(long volumeBlocks) {
    List<Extent> parts = new ArrayList<>();
    parts.add(new Extent(0, LOG_START + preparedLogBlocks(0)));
    parts.add(new Extent(superblock(2), 2));
    parts.addAll(mapHomes(0, volumeBlocks));
    return parts;
  }

  /**
   * The homes of the chunks that a volume has more when it grows, in all copies of the map, in
   * pieces that one request can write.
   */
  public List<Extent> mapHomes(long fromBlocks, long toBlocks) {
    List<Extent> homes = new ArrayList<>();
    for (int copy = 0; copy < mapCopies; copy++) {
      long end = mapStart(copy) + 2 * chunksOf(toBlocks);
      for (long at = mapStart(copy) + 2 * chunksOf(fromBlocks); at < end; at += MAX_PIECE_BLOCKS) {
        homes.add(new Extent(at, Math.min(MAX_PIECE_BLOCKS, end - at)));
      }
    }
    return homes;
  }

  /** The block of a superblock copy, 0 to 3. */
  public long superblock(int copy) {
    Invariants.check(copy >= 0 && copy < SUPERBLOCK_COPIES, "no such copy", copy);
    return copy < 2 ? copy : LOG_START + logBlocks + copy - 2;
  }

  /** The first home of the free-space map's first copy. */
  public long mapStart() {
    return LOG_START + logBlocks + 2;
  }

  /** The first home of a copy of the free-space map, of which there are {@link #mapCopies}. */
  public long mapStart(int copy) {
    Invariants.check(copy >= 0 && copy < mapCopies, "no such copy of the map", copy);
    return mapStart() + 2 * mapChunks() * copy;
  }

  /** How many chunks the free-space map has at the volume's greatest size. */
  public long mapChunks() {
    return chunksOf(maxBlocks);
  }

  private long chunksOf(long blocks) {
    return (blocks + mapChunkBlocks - 1) / mapChunkBlocks;
  }

  /** The first block that extents may use. */
  public long dataStart() {
    return mapStart() + 2 * mapChunks() * mapCopies;
  }

  /** The largest batch of the log: an eighth of the ring. */
  public int maxBatchBlocks() {
    return logBlocks / 8;
  }
}
