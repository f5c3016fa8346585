package dev.upcall.coding;

import dev.upcall.base.Invariants;
import dev.upcall.io.Disk;
import dev.upcall.space.Extent;

/**
 * Blocks of content that are stored together in fewer blocks. Immutable.
 *
 * <p>Decoded, the blocks of a unit have addresses of their own, which no block of a volume has:
 * each stored block stands for 16 of them. So memory that is known by address finds decoded blocks
 * as it finds others, and what is stored in an extent {@linkplain #decoded has} one run of them.
 */
public final class StoredUnit {
  /** The most blocks of content. */
  public static final int MAX_BLOCKS = 16;

  /** The least address of a decoded block: above all of volumes, whose bytes have 63 bits. */
  public static final long DECODED = 1L << 60;

  private static final long MIX = 0x9E3779B97F4A7C15L;

  private final long block;
  private final int[] checksums;
  private final int blocks;
  private final int codec;
  private final int storedBytes;
  private final int mark;

  /**
   * A unit.
   *
   * @param block the first stored block
   * @param checksums CRC32C of each stored block, fewer than {@code blocks}; never changed
   * @param blocks blocks of content, 2 to {@link #MAX_BLOCKS}
   * @param codec by which it is coded, 1 to 15
   * @param storedBytes bytes of the coded form, which end in the last stored block
   */
  public StoredUnit(long block, int[] checksums, int blocks, int codec, int storedBytes) {
    Invariants.check(blocks > 1 && blocks <= MAX_BLOCKS, "blocks of a unit", blocks);
    Invariants.check(
        checksums.length > 0 && checksums.length < blocks, "stored blocks", checksums.length);
    Invariants.check(codec > 0 && codec <= 15, "codec of a unit", codec);
    Invariants.check(blocksOf(storedBytes) == checksums.length, "bytes of a unit", storedBytes);
    this.block = block;
    this.checksums = checksums;
    this.blocks = blocks;
    this.codec = codec;
    this.storedBytes = storedBytes;
    long mixed = ((long) codec << 40 | (long) blocks << 32 | storedBytes) * MIX;
    for (int checksum : checksums) {
      mixed = (mixed ^ checksum ^ mixed >>> 32) * MIX;
    }
    this.mark = (int) (mixed >>> 32);
  }

  /** How many blocks so many bytes take. */
  public static int blocksOf(int bytes) {
    return (bytes + Disk.BLOCK_BYTES - 1) / Disk.BLOCK_BYTES;
  }

  /** The most bytes that the coded form of so many blocks may have: it saves a block and 1/8. */
  public static int mostStoredBytes(int blocks) {
    return Math.min(blocks - 1, blocks * 7 / 8) * Disk.BLOCK_BYTES;
  }

  /** Where it is stored. */
  public Extent extent() {
    return new Extent(block, checksums.length);
  }

  /** CRC32C of each stored block. */
  public int[] checksums() {
    return checksums;
  }

  /** How many blocks of content it has. */
  public int blocks() {
    return blocks;
  }

  /** The number of its codec. */
  public int codec() {
    return codec;
  }

  /** Bytes of the coded form. */
  public int storedBytes() {
    return storedBytes;
  }

  /** The address of the first decoded block. */
  public long address() {
    return decoded(block);
  }

  /**
   * Tells this unit from others at the same place: made of the checksums of all its stored blocks.
   */
  public int mark() {
    return mark;
  }

  /** The addresses of all decoded blocks of units that are stored in an extent. */
  public static Extent decoded(Extent stored) {
    return new Extent(decoded(stored.block()), stored.blocks() * MAX_BLOCKS);
  }

  private static long decoded(long block) {
    return DECODED | block * MAX_BLOCKS;
  }
}
