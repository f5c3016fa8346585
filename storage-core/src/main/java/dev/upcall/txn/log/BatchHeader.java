package dev.upcall.txn.log;

import dev.upcall.io.Disk;
import dev.upcall.txn.volume.LogPoint;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The head of a batch of the log: one group commit, consecutive blocks of the ring from a block
 * boundary (from the ring's last block on it goes on at its first). Little-endian.
 *
 * <pre>
 *   0  u32  magic "UPLB"             4  u32  CRC32C of the body followed by bytes 8 .. 127
 *   8  u64  volume id
 *  16  u64  position
 *  24  u64  sequence
 *  32  u64  incarnation of the writer
 *  40  u64  incarnation of the batch before
 *  48  u64  first SCN
 *  56  u64  last SCN
 *  64  u64  mark
 *  72  u32  bytes of head and body  76  u32  number of records
 *  80  u32  CRC of the batch before 84  u32  flags
 *  88  zeros to 128, then the body: records (see {@link LogFrames}), then zeros to the block's end
 * </pre>
 *
 * @param volumeId which volume
 * @param at where the batch lies, and the identity of the batch before
 * @param incarnation the random number of the writer
 * @param firstScn the first record's SCN; of a batch without records, the last SCN before it
 * @param lastScn the last record's SCN, or as {@code firstScn}
 * @param mark everything before this position is durable, named extents included
 * @param bytes head and body
 * @param recordCount how many records
 * @param flags {@link #NAMES_EXTENTS}, {@link #EXTENTS_SYNCED}, {@link #MARK_ONLY}
 * @param crc as stored
 */
public record BatchHeader(
    long volumeId,
    LogPoint at,
    long incarnation,
    long firstScn,
    long lastScn,
    long mark,
    int bytes,
    int recordCount,
    int flags,
    int crc) {
  /** "UPLB" in the order of its bytes on disk. */
  static final int MAGIC = 0x424c5055;

  /** Bytes of a head. */
  public static final int BYTES = 128;

  /** Some record names extents. */
  static final int NAMES_EXTENTS = 1;

  /** The extents were durable before the batch was written, so nobody needs to verify them. */
  public static final int EXTENTS_SYNCED = 2;

  /** An idle log's mark, without records. */
  public static final int MARK_ONLY = 4;

  private static final int CRC_AT = 4;
  private static final int COVERED_FROM = 8;

  /** The blocks that so many bytes of head and body take. */
  public static int blocksOf(long bytes) {
    return (int) ((bytes + Disk.BLOCK_BYTES - 1) / Disk.BLOCK_BYTES);
  }

  int blocks() {
    return blocksOf(bytes);
  }

  boolean has(int flag) {
    return (flags & flag) != 0;
  }

  /** The same with another mark. */
  BatchHeader withMark(long other) {
    return new BatchHeader(
        volumeId, at, incarnation, firstScn, lastScn, other, bytes, recordCount, flags, crc);
  }

  /** The place behind this batch. */
  LogPoint next() {
    return new LogPoint(at.position() + blocks(), at.sequence() + 1, incarnation, crc);
  }

  /** Whether this batch is the one that may follow at that point. */
  boolean follows(LogPoint point) {
    return at.equals(point);
  }

  /**
   * Puts the head in front of a body and gives it its checksum.
   *
   * @param batch head, body and padding from 0
   * @param bodyCrc CRC32C of the body so far
   * @return the head with the checksum
   */
  BatchHeader encodeInto(ByteBuffer batch, BodyCrc bodyCrc) {
    for (int i = 0; i < BYTES; i += Long.BYTES) {
      batch.putLong(i, 0);
    }
    batch.putInt(0, MAGIC).putLong(8, volumeId);
    batch.putLong(16, at.position()).putLong(24, at.sequence());
    batch.putLong(32, incarnation).putLong(40, at.incarnation());
    batch.putLong(48, firstScn).putLong(56, lastScn).putLong(64, mark);
    batch.putInt(72, bytes).putInt(76, recordCount);
    batch.putInt(80, at.chainCrc()).putInt(84, flags);
    int checksum = bodyCrc.finish(batch.slice(COVERED_FROM, BYTES - COVERED_FROM));
    batch.putInt(CRC_AT, checksum);
    return new BatchHeader(
        volumeId, at, incarnation, firstScn, lastScn, mark, bytes, recordCount, flags, checksum);
  }

  /** Reads a head; null if there is none or its sizes are impossible. Says nothing of its body. */
  static @Nullable BatchHeader decode(ByteBuffer block, int maxBatchBlocks) {
    if (block.getInt(0) != MAGIC) {
      return null;
    }
    int bytes = block.getInt(72);
    int recordCount = block.getInt(76);
    if (bytes < BYTES || recordCount < 0 || blocksOf(bytes) > maxBatchBlocks) {
      return null;
    }
    LogPoint at =
        new LogPoint(block.getLong(16), block.getLong(24), block.getLong(40), block.getInt(80));
    return new BatchHeader(
        block.getLong(8),
        at,
        block.getLong(32),
        block.getLong(48),
        block.getLong(56),
        block.getLong(64),
        bytes,
        recordCount,
        block.getInt(84),
        block.getInt(CRC_AT));
  }

  /** The checksum that a batch ought to have. */
  int computeCrc(ByteBuffer batch) {
    BodyCrc crc = new BodyCrc();
    crc.update(batch.slice(BYTES, bytes - BYTES));
    return crc.finish(batch.slice(COVERED_FROM, BYTES - COVERED_FROM));
  }
}
