package dev.upcall.txn.verify;

import dev.upcall.content.Kind;
import dev.upcall.io.Disk;
import dev.upcall.segment.layout.ExtentEntry;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.Layout;
import dev.upcall.space.Extent;
import dev.upcall.store.SpaceUse;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * The space that the segments of a state take and save, counted run by run. A page of extents that
 * several segments share is walked once; what lies below it is remembered for the next one. Takes
 * 16 bytes for each segment.
 */
final class CountedSpace {
  private final Map<Long, Long> belowShared = new TreeMap<>();

  /** Of units that no entry names whole, which blocks none names, by where they lie. */
  private final Map<Long, Integer> unnamed = new TreeMap<>();

  private final ArrayDeque<Long> namedAtEntering = new ArrayDeque<>();
  private long[] ids = new long[64];

  /** Bytes of each segment's size that no block is known for. */
  private long[] rest = new long[64];

  private int segments;
  private long logicalBytes;
  private long inlineBytes;
  private long storedBlocks;
  private long compressedBlocks;
  private long sharedBlocks;
  private long leavingBlocks;
  private long unplacedBlocks;
  private long namedBlocks;

  /** A segment; they come in the order of their ids, before all else of them. */
  void segment(Inode inode) {
    if (segments == ids.length) {
      ids = Arrays.copyOf(ids, 2 * segments);
      rest = Arrays.copyOf(rest, 2 * segments);
    }
    long size = inode.kind() == Kind.FILE || inode.kind() == Kind.SYMBOLIC_LINK ? inode.size() : 0;
    long inline = inode.layout() instanceof Layout.Inline(byte[] bytes) ? bytes.length : 0;
    logicalBytes += size;
    inlineBytes += inline;
    ids[segments] = inode.id();
    rest[segments++] = size - inline;
  }

  /** Whether a segment was seen. */
  boolean has(long id) {
    return at(id) >= 0;
  }

  private int at(long id) {
    return Arrays.binarySearch(ids, 0, segments, id);
  }

  /** How many segments were seen. */
  long segments() {
    return segments;
  }

  /**
   * A run of placed content.
   *
   * @param id whose; one that is no segment any more is on its way to be given back
   * @param firstBlocks how many of its stored blocks are named for the first time
   */
  void run(long id, ExtentEntry entry, long firstBlocks) {
    int at = at(id);
    if (at < 0) {
      leavingBlocks += firstBlocks;
      return;
    }
    long blocks = entry.logicalEnd() - entry.logicalBlock();
    storedBlocks += firstBlocks;
    name(at, blocks);
    sharedBlocks +=
        switch (entry) {
          case ExtentEntry.Plain _ -> blocks - firstBlocks;
          case ExtentEntry.Coded coded -> {
            if (firstBlocks > 0) {
              compressedBlocks += coded.unit().blocks() - firstBlocks;
            }
            yield namedAgain(coded, firstBlocks > 0);
          }
        };
  }

  private void name(int at, long blocks) {
    namedBlocks += blocks;
    rest[at] -= blocks * Disk.BLOCK_BYTES;
  }

  private long namedAgain(ExtentEntry.Coded coded, boolean isFirst) {
    long place = coded.extent().block();
    int part = ((1 << coded.blocks()) - 1) << coded.skip();
    Integer missing =
        isFirst ? Integer.valueOf((1 << coded.unit().blocks()) - 1) : unnamed.get(place);
    if (missing == null) {
      return (long) coded.blocks();
    }
    if ((missing & ~part) == 0) {
      unnamed.remove(place);
    } else {
      unnamed.put(place, missing & ~part);
    }
    return (long) coded.blocks() - Integer.bitCount(missing & part);
  }

  /** A page of extents is gone into. */
  void enter() {
    namedAtEntering.push(namedBlocks);
  }

  /** All below it was told. */
  void leave(long page, boolean isShared) {
    long below = namedBlocks - namedAtEntering.pop();
    if (isShared) {
      belowShared.put(page, below);
    }
  }

  /** A segment has a page that another one was told with. */
  void below(long id, long page) {
    int at = at(id);
    if (at >= 0) {
      long blocks = belowShared.getOrDefault(page, 0L);
      name(at, blocks);
      sharedBlocks += blocks;
    }
  }

  /** Content of a segment that has no place of its own. */
  void unplaced(long id, Extent extent) {
    unplacedBlocks += extent.blocks();
    int at = at(id);
    if (at >= 0) {
      rest[at] -= extent.blocks() * Disk.BLOCK_BYTES;
    }
  }

  /** How many blocks more the content of compressed units would take. */
  long compressedBlocks() {
    return compressedBlocks;
  }

  /** How many blocks have content without a place of its own. */
  long unplacedBlocks() {
    return unplacedBlocks;
  }

  /** All was told. */
  SpaceUse use(BlockLedger ledger, BlockLedger.Kept kept) {
    long holeBytes = 0;
    long unusedBytes = 0;
    for (int at = 0; at < segments; at++) {
      holeBytes += Math.max(0, rest[at]);
      unusedBytes += Math.max(0, -rest[at]);
    }
    for (int missing : unnamed.values()) {
      unusedBytes += (long) Integer.bitCount(missing) * Disk.BLOCK_BYTES;
    }
    return new SpaceUse(
        logicalBytes,
        bytes(storedBlocks + unplacedBlocks),
        bytes(compressedBlocks),
        bytes(sharedBlocks),
        holeBytes,
        inlineBytes,
        unusedBytes,
        bytes(kept.fixedBlocks()),
        bytes(ledger.metadataBlocks()),
        bytes(leavingBlocks),
        bytes(kept.snapshotBlocks()),
        bytes(kept.freeBlocks()));
  }

  private static long bytes(long blocks) {
    return blocks * Disk.BLOCK_BYTES;
  }
}
