package dev.upcall.txn.volume;

import dev.upcall.base.Checksums;
import dev.upcall.base.Invariants;
import dev.upcall.io.Disk;
import dev.upcall.io.seal.KeySlots;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The one block of a superblock copy, little-endian. The first 24 bytes mean the same in every
 * format version, so that a newer volume is recognised as such.
 *
 * <pre>
 *   0  u32  magic "UPSB"             4  u32  CRC32C of bytes 8 .. 4095
 *   8  u64  volume id
 *  16  u32  format version          20  u32  copy, 0 .. 3
 *  24  u64  sequence
 *  32  u64  SCN
 *  40  u64  log position
 *  48  u64  log sequence
 *  56  u64  log incarnation
 *  64  u32  log chain checksum      68  u32  log blocks
 *  72  u32  map chunk blocks        76  u16  number of roots
 *                                   78  u16  copies of the map (0 before version 3, and means 1)
 *  80  u64  greatest number of blocks
 *  88  u64  volume blocks
 *  96  u64  cap blocks
 * 104  u64  map sequence
 * 112  u64  map digest
 * 120  u64  next inode id
 * 128  64 bytes for each root: u32 tree id, u32 length, 56 bytes reference (rest zero)
 *  ..  zeros to 2176
 * 2176 u64 features; only in version 4, and never 0 there
 *  ..  zeros to 2304
 * 2304 8 key slots of 96 bytes ({@link dev.upcall.io.seal.KeySlot}); zeros unless it is sealed
 *  ..  zeros to 4096
 * </pre>
 */
public final class SuperblockCodec {
  /** "UPSB" in the order of its bytes on disk. */
  static final int MAGIC = 0x42535055;

  private static final int CRC_AT = 4;
  private static final int COVERED_FROM = 8;
  private static final int ROOTS_AT = 128;
  private static final int ROOT_BYTES = 64;
  private static final int FEATURES_AT = ROOTS_AT + Superblock.MAX_ROOTS * ROOT_BYTES;

  private static final int KEY_SLOTS_AT = 2304;

  private record Count(String name, int at) {}

  private static final List<Count> COUNTS =
      List.of(
          new Count("sequence", 24),
          new Count("SCN", 32),
          new Count("log position", 40),
          new Count("log sequence", 48),
          new Count("map sequence", 104),
          new Count("next inode id", 120));

  /** What only grows, one by one, never comes so far; and from here it could still grow. */
  private static final long MAX_COUNT = Long.MAX_VALUE - (1L << 48);

  private SuperblockCodec() {}

  /** What a block that should hold a superblock copy turned out to be. */
  public sealed interface Found {
    /** A valid copy, and of which format version. */
    record Valid(Superblock superblock, int formatVersion) implements Found {}

    /** A valid copy of a format that this code does not know. */
    record Newer(int formatVersion) implements Found {}

    /**
     * A valid copy of a volume that uses what this code does not know.
     *
     * @param features the bits that are unknown, at least one
     */
    record Unknown(long features) implements Found {}

    /**
     * It begins as a copy, but it is damaged or in the wrong place.
     *
     * @param what which field cannot be so, what it is, and what it should be
     */
    record Damaged(String what) implements Found {}

    /** Nothing of ours. */
    record Foreign() implements Found {}
  }

  /** Whether four bytes are those with which a volume begins: a cheap first look at a file. */
  public static boolean isBegin(ByteBuffer head) {
    return head.duplicate().order(ByteOrder.LITTLE_ENDIAN).getInt(0) == MAGIC;
  }

  /** Fills a block. */
  public static ByteBuffer encode(Superblock superblock, int copy) {
    ByteBuffer block = Disk.newBuffer(Disk.BLOCK_BYTES);
    VolumeLayout layout = superblock.layout();
    LogPoint log = superblock.log();
    block.putInt(MAGIC).putInt(0);
    block.putLong(superblock.volumeId());
    block.putInt(superblock.formatVersion()).putInt(copy);
    block.putLong(superblock.sequence()).putLong(superblock.scn());
    block.putLong(log.position()).putLong(log.sequence()).putLong(log.incarnation());
    block.putInt(log.chainCrc()).putInt(layout.logBlocks());
    block.putInt(layout.mapChunkBlocks());
    block.putShort((short) superblock.roots().size()).putShort((short) layout.mapCopies());
    block.putLong(layout.maxBlocks());
    block.putLong(superblock.volumeBlocks()).putLong(superblock.capBlocks());
    block.putLong(superblock.mapSequence()).putLong(superblock.mapDigest());
    block.putLong(superblock.nextInodeId());
    Invariants.check(block.position() == ROOTS_AT, "superblock fields", block.position());
    int at = ROOTS_AT;
    for (StoreRoot root : superblock.roots()) {
      block.position(at).putInt(root.treeId()).putInt(root.reference().length);
      block.put(root.reference());
      at += ROOT_BYTES;
    }
    block.clear();
    block.putLong(FEATURES_AT, superblock.features());
    superblock.keySlots().write(block, KEY_SLOTS_AT);
    block.putInt(CRC_AT, checksum(block));
    return block;
  }

  /** Judges the block at an address. */
  public static Found decode(ByteBuffer source, long address) {
    ByteBuffer block = source.duplicate().order(ByteOrder.LITTLE_ENDIAN).clear();
    if (block.getInt(0) != MAGIC) {
      return new Found.Foreign();
    }
    int crc = checksum(block);
    if (block.getInt(CRC_AT) != crc) {
      return new Found.Damaged(
          "checksum %08x expected, %08x found".formatted(block.getInt(CRC_AT), crc));
    }
    int version = block.getInt(16);
    if (version > Superblock.FORMAT_VERSION) {
      return new Found.Newer(version);
    }
    long features = version == Superblock.FORMAT_VERSION ? block.getLong(FEATURES_AT) : 0;
    if ((features & ~StoreFeature.KNOWN) != 0) {
      return new Found.Unknown(features & ~StoreFeature.KNOWN);
    }
    return decodeFields(block, address);
  }

  private static Found decodeFields(ByteBuffer block, long address) {
    int version = block.getInt(16);
    int copy = block.getInt(20);
    int logBlocks = block.getInt(68);
    int chunkBlocks = block.getInt(72);
    int rootCount = block.getShort(76);
    int mapCopies = Math.max(1, block.getShort(78));
    long maxBlocks = block.getLong(80);
    long volumeBlocks = block.getLong(88);
    long capBlocks = block.getLong(96);
    if (version < Superblock.OLDEST_FORMAT_VERSION) {
      return new Found.Damaged("format version %d".formatted(version));
    }
    long features = version == Superblock.FORMAT_VERSION ? block.getLong(FEATURES_AT) : 0;
    if (version == Superblock.FORMAT_VERSION && features == 0) {
      return new Found.Damaged("format version %d without a feature".formatted(version));
    }
    if (copy < 0 || copy >= VolumeLayout.SUPERBLOCK_COPIES) {
      return new Found.Damaged("it says that it is copy %d".formatted(copy));
    }
    if (rootCount < 0 || rootCount > Superblock.MAX_ROOTS) {
      return new Found.Damaged("%d roots".formatted(rootCount));
    }
    if (!VolumeLayout.isSound(logBlocks, chunkBlocks, maxBlocks, mapCopies)) {
      return new Found.Damaged(
          "no volume has %d blocks of log, %d blocks a chunk of the map, %d copies of it and at most %d blocks"
              .formatted(logBlocks, chunkBlocks, mapCopies, maxBlocks));
    }
    VolumeLayout layout = new VolumeLayout(logBlocks, chunkBlocks, maxBlocks, mapCopies);
    if (layout.superblock(copy) != address) {
      return new Found.Damaged(
          "it is copy %d, whose place is block %d".formatted(copy, layout.superblock(copy)));
    }
    if (volumeBlocks < layout.dataStart() || volumeBlocks > capBlocks || capBlocks > maxBlocks) {
      return new Found.Damaged(
          "%d blocks, with a cap of %d; at least %d and at most %d"
              .formatted(volumeBlocks, capBlocks, layout.dataStart(), maxBlocks));
    }
    for (Count count : COUNTS) {
      long value = block.getLong(count.at());
      if (value < 0 || value > MAX_COUNT) {
        return new Found.Damaged("%s %d".formatted(count.name(), value));
      }
    }
    boolean sealed = StoreFeature.SEALED.isIn(features);
    KeySlots keySlots = sealed ? KeySlots.at(block, KEY_SLOTS_AT) : KeySlots.NONE;
    String flaw = keySlots.flaw();
    if (flaw != null) {
      return new Found.Damaged(flaw);
    }
    List<StoreRoot> roots = new ArrayList<>();
    for (int i = 0; i < rootCount; i++) {
      int at = ROOTS_AT + i * ROOT_BYTES;
      int length = block.getInt(at + 4);
      if (length < 0 || length > StoreRoot.MAX_REFERENCE_BYTES) {
        return new Found.Damaged(
            "the root of tree %d has %d bytes".formatted(block.getInt(at), length));
      }
      byte[] reference = new byte[length];
      block.get(at + 8, reference);
      roots.add(new StoreRoot(block.getInt(at), reference));
    }
    return new Found.Valid(
        new Superblock(
            block.getLong(8),
            block.getLong(24),
            block.getLong(32),
            new LogPoint(block.getLong(40), block.getLong(48), block.getLong(56), block.getInt(64)),
            roots,
            block.getLong(104),
            block.getLong(112),
            layout,
            volumeBlocks,
            capBlocks,
            block.getLong(120),
            features,
            keySlots),
        version);
  }

  private static int checksum(ByteBuffer block) {
    return Checksums.crc32c(block, COVERED_FROM, Disk.BLOCK_BYTES - COVERED_FROM);
  }
}
