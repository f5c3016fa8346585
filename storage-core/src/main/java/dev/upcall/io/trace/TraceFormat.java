package dev.upcall.io.trace;

import dev.upcall.base.Checksums;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskOperation;
import dev.upcall.io.IoClass;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The form of a trace file, little-endian.
 *
 * <pre>
 * header  64 B  u32 magic "UPBT" | u16 version | u16 bytes of a block on the device | u64 volume
 *               u64 begin, wall clock, ns | u64 begin, monotonic, ns | zeros
 * block 4096 B  u32 CRC32C of what follows | u16 entries n, 1 to 145 | u16 flags
 *               u64 time of the first entry, ns | n entries | zeros
 * entry   28 B  u64 first block | u32 blocks | u32 time since the entry before, 100 ns
 *               u32 asker | u8 operation | u8 class | u16 merged requests
 *               u32 time held back before it was submitted, 100 ns
 * </pre>
 *
 * Times are rounded down, each from the exact one, so that nothing adds up. A count that does not
 * fit is the largest that does.
 */
final class TraceFormat {
  static final int HEADER_BYTES = 64;
  static final int BLOCK_BYTES = 4096;
  static final int ENTRY_BYTES = 28;

  /** Before its entries. */
  static final int BLOCK_HEAD_BYTES = 16;

  static final int MAX_ENTRIES = (BLOCK_BYTES - BLOCK_HEAD_BYTES) / ENTRY_BYTES;

  /** The unit of the time between two entries. */
  static final long TICK_NANOS = 100;

  static final long MAX_TICKS = 0xFFFF_FFFFL;

  private static final long MAX_BLOCKS = 0xFFFF_FFFFL;

  /** Entries were lost right before this block. */
  static final int FLAG_LOST = 1;

  static final int COUNT_AT = 4;
  static final int FLAGS_AT = 6;
  static final int TIME_AT = 8;

  private static final int MAGIC = 0x5442_5055;
  private static final int VERSION = 1;
  private static final int MAX_PARTS = 0xFFFF;

  /** By their codes in a file, from 1. */
  private static final DiskOperation[] OPERATIONS = {
    DiskOperation.READ,
    DiskOperation.WRITE,
    DiskOperation.DURABLE_WRITE,
    DiskOperation.SYNC,
    DiskOperation.ALLOCATE,
    DiskOperation.DISCARD,
    DiskOperation.SHRINK
  };

  /** By their codes in a file, from 1. */
  private static final IoClass[] CLASSES = {
    IoClass.FOREGROUND_READ,
    IoClass.LOG,
    IoClass.FOREGROUND_WRITE,
    IoClass.READ_AHEAD,
    IoClass.BACKGROUND
  };

  private TraceFormat() {}

  /** A file holds something else than it should; the message says what and where. */
  static final class DamagedException extends IOException {
    private static final long serialVersionUID = 1L;

    DamagedException(String what) {
      super(what);
    }
  }

  static ByteBuffer header(TraceHeader header) {
    return ByteBuffer.allocate(HEADER_BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(0, MAGIC)
        .putShort(4, (short) VERSION)
        .putShort(6, (short) Disk.BLOCK_BYTES)
        .putLong(8, header.volumeId())
        .putLong(16, header.epochNanos())
        .putLong(24, header.clockNanos());
  }

  static TraceHeader header(byte[] bytes) throws DamagedException {
    demand(bytes.length == HEADER_BYTES, "it is no block trace: it ends before its header does");
    ByteBuffer from = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    demand(from.getInt(0) == MAGIC, "it is no block trace");
    int version = Short.toUnsignedInt(from.getShort(4));
    demand(version == VERSION, "its format is version " + version + ", known is " + VERSION);
    int blockBytes = Short.toUnsignedInt(from.getShort(6));
    demand(blockBytes == Disk.BLOCK_BYTES, "its blocks have " + blockBytes + " bytes");
    demandZeros(from, 32, HEADER_BYTES, "its header");
    return new TraceHeader(from.getLong(8), from.getLong(16), from.getLong(24));
  }

  /** Writes an entry into a block, at its place. */
  static void putEntry(ByteBuffer block, int index, TraceEntry entry, long ticks) {
    int at = BLOCK_HEAD_BYTES + index * ENTRY_BYTES;
    block
        .putLong(at, entry.run().block())
        .putInt(at + 8, (int) Math.min(entry.run().blocks(), MAX_BLOCKS))
        .putInt(at + 12, (int) ticks)
        .putInt(at + 16, entry.source().asker())
        .put(at + 20, code(OPERATIONS, entry.operation()))
        .put(at + 21, code(CLASSES, entry.ioClass()))
        .putShort(at + 22, (short) Math.min(entry.source().parts(), MAX_PARTS))
        .putInt(at + 24, (int) Math.min(entry.source().waitedNanos() / TICK_NANOS, MAX_TICKS));
  }

  /** Ends a block: from now on it is whole. */
  static void seal(ByteBuffer block, int entries, int flags, long timeNanos) {
    block.putShort(COUNT_AT, (short) entries);
    block.putShort(FLAGS_AT, (short) flags);
    block.putLong(TIME_AT, timeNanos);
    int end = BLOCK_HEAD_BYTES + entries * ENTRY_BYTES;
    block.put(end, new byte[BLOCK_BYTES - end]);
    block.putInt(0, Checksums.crc32c(block, COUNT_AT, BLOCK_BYTES - COUNT_AT));
  }

  /** Checks a block as a whole, and gives the number of its entries. */
  static int checkBlock(ByteBuffer block) throws DamagedException {
    int sum = Checksums.crc32c(block, COUNT_AT, BLOCK_BYTES - COUNT_AT);
    demand(block.getInt(0) == sum, "its checksum is wrong");
    int entries = Short.toUnsignedInt(block.getShort(COUNT_AT));
    demand(entries >= 1 && entries <= MAX_ENTRIES, "it has " + entries + " entries");
    int flags = Short.toUnsignedInt(block.getShort(FLAGS_AT));
    demand(flags <= FLAG_LOST, "its flags are " + flags);
    demandZeros(block, BLOCK_HEAD_BYTES + entries * ENTRY_BYTES, BLOCK_BYTES, "it");
    return entries;
  }

  /**
   * Reads an entry of a block.
   *
   * @param beforeNanos the time of the entry before; of the first, that of the block
   */
  static TraceEntry entry(ByteBuffer block, int index, long beforeNanos) throws DamagedException {
    int at = BLOCK_HEAD_BYTES + index * ENTRY_BYTES;
    DiskOperation operation = decode(OPERATIONS, block.get(at + 20), index, "operation");
    IoClass ioClass = decode(CLASSES, block.get(at + 21), index, "class");
    TraceEntry.Run run =
        new TraceEntry.Run(block.getLong(at), Integer.toUnsignedLong(block.getInt(at + 8)));
    if (!isPossible(operation, run)) {
      throw new DamagedException(
          "entry %d is at blocks %d to %d".formatted(index, run.block(), run.end()));
    }
    long ticks = Integer.toUnsignedLong(block.getInt(at + 12));
    demand(index > 0 || ticks == 0, "its first entry is later than the block");
    int asker = block.getInt(at + 16);
    int parts = Short.toUnsignedInt(block.getShort(at + 22));
    if (parts == 0) {
      throw new DamagedException("entry " + index + " is made of no request");
    }
    return new TraceEntry(
        beforeNanos + ticks * TICK_NANOS,
        operation,
        ioClass,
        run,
        new TraceEntry.Source(
            asker, parts, Integer.toUnsignedLong(block.getInt(at + 24)) * TICK_NANOS));
  }

  private static boolean isPossible(DiskOperation operation, TraceEntry.Run run) {
    return switch (operation) {
      case SYNC -> run.block() == 0 && run.blocks() == 0;
      case SHRINK -> run.block() >= 0;
      default -> run.block() >= 0 && run.blocks() > 0;
    };
  }

  private static <T> byte code(T[] known, T value) {
    int at = 0;
    while (known[at] != value) {
      at++;
    }
    return (byte) (at + 1);
  }

  private static <T> T decode(T[] known, byte code, int index, String what)
      throws DamagedException {
    if (code < 1 || code > known.length) {
      throw new DamagedException("entry " + index + " is of no known " + what);
    }
    return known[code - 1];
  }

  private static void demandZeros(ByteBuffer in, int from, int to, String where)
      throws DamagedException {
    for (int at = from; at < to; at++) {
      if (in.get(at) != 0) {
        throw new DamagedException(where + " has something where zeros should be");
      }
    }
  }

  private static void demand(boolean holds, String otherwise) throws DamagedException {
    if (!holds) {
      throw new DamagedException(otherwise);
    }
  }
}
