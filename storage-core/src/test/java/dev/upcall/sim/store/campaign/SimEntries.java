package dev.upcall.sim.store.campaign;

import dev.upcall.fsm.record.RecordRing;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Entries of a recording as {@code docs/trace.md} draws them, in version 1, so that {@code upcall
 * trace} reads those of the simulator too. Each machine of a lifetime is a run.
 */
final class SimEntries {
  /** The most records or names in one entry. */
  static final int MAX_COUNT = 2048;

  private static final int HEAD_BYTES = 64;
  private static final int MARK = 0x524a7055;
  private static final short VERSION = 1;
  private static final byte RECORDS = 1;
  private static final byte NAMES = 2;
  private static final int MAX_NAME_BYTES = 63;
  private static final int KIND_AT = 6;
  private static final int RUN_AT = 8;
  private static final int FIRST_AT = 24;
  private static final int COUNT_AT = 48;
  private static final int LENGTH_AT = 52;
  private static final int CHECKSUM_AT = 56;
  private static final int LAST_ZERO_AT = 60;

  private SimEntries() {}

  /**
   * Whose an entry is, and where its place is.
   *
   * @param seed of the lifetime
   * @param machine of the lifetime: 1 is the first
   * @param first the number of the first record, or name
   * @param epochNanos the time of day of the lifetime's begin, since 1970
   */
  record Origin(long seed, int machine, long first, long epochNanos) {}

  /**
   * An entry that was read.
   *
   * @param first the number of its first record or name
   * @param records little-endian; null where it has names
   */
  record Entry(int machine, long first, List<String> names, @Nullable ByteBuffer records) {}

  /** An entry of names. */
  static ByteBuffer names(Origin origin, List<String> names) {
    List<byte[]> texts = names.stream().map(name -> name.getBytes(StandardCharsets.UTF_8)).toList();
    ByteBuffer entry = room(texts.stream().mapToInt(text -> 1 + text.length).sum());
    for (byte[] text : texts) {
      if (text.length > MAX_NAME_BYTES) {
        throw new AssertionError("too long for a recording: " + names);
      }
      entry.put((byte) text.length).put(text);
    }
    return finish(entry, NAMES, origin, names.size());
  }

  /** An entry of records, from the position to the limit. */
  static ByteBuffer records(Origin origin, ByteBuffer records) {
    ByteBuffer entry = room(records.remaining());
    entry.put(records.duplicate());
    return finish(entry, RECORDS, origin, records.remaining() / RecordRing.RECORD_BYTES);
  }

  private static ByteBuffer room(int bytes) {
    return ByteBuffer.allocate(HEAD_BYTES + bytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .position(HEAD_BYTES);
  }

  private static ByteBuffer finish(ByteBuffer entry, byte kind, Origin origin, int count) {
    entry.flip();
    entry.putInt(0, MARK).putShort(Integer.BYTES, VERSION).put(KIND_AT, kind);
    entry.putLong(RUN_AT, origin.seed()).putLong(RUN_AT + Long.BYTES, origin.machine());
    // Records have the time since the begin, so that is what their clock says at the begin: 0.
    entry.putLong(FIRST_AT, origin.first()).putLong(FIRST_AT + Long.BYTES, origin.epochNanos());
    entry.putInt(COUNT_AT, count).putInt(LENGTH_AT, entry.limit() - HEAD_BYTES);
    return entry.putInt(CHECKSUM_AT, checksum(entry));
  }

  /**
   * The entry at the position of a buffer, which moves behind it; null if none is there, whole, of
   * that lifetime.
   */
  static @Nullable Entry read(ByteBuffer from, long seed) {
    int at = from.position();
    if (from.remaining() < HEAD_BYTES
        || from.getInt(at) != MARK
        || from.getShort(at + Integer.BYTES) != VERSION
        || from.getLong(at + RUN_AT) != seed
        || Integer.compareUnsigned(from.getInt(at + LENGTH_AT), from.remaining() - HEAD_BYTES)
            > 0) {
      return null;
    }
    int length = HEAD_BYTES + from.getInt(at + LENGTH_AT);
    ByteBuffer entry = from.slice(at, length).order(ByteOrder.LITTLE_ENDIAN);
    if (entry.getInt(CHECKSUM_AT) != checksum(entry) || entry.getInt(LAST_ZERO_AT) != 0) {
      return null;
    }
    from.position(at + length);
    int machine = (int) entry.getLong(RUN_AT + Long.BYTES);
    long first = entry.getLong(FIRST_AT);
    ByteBuffer body = entry.slice(HEAD_BYTES, length - HEAD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    if (entry.get(KIND_AT) == RECORDS) {
      return new Entry(machine, first, List.of(), body);
    }
    List<String> names = new ArrayList<>();
    while (body.hasRemaining()) {
      int bytes = body.get();
      if (bytes < 0 || bytes > body.remaining()) {
        return null;
      }
      byte[] text = new byte[bytes];
      body.get(text);
      names.add(new String(text, StandardCharsets.UTF_8));
    }
    return new Entry(machine, first, names, null);
  }

  private static int checksum(ByteBuffer entry) {
    CRC32C crc = new CRC32C();
    crc.update(entry.slice(0, CHECKSUM_AT));
    crc.update(entry.slice(HEAD_BYTES, entry.limit() - HEAD_BYTES));
    return (int) crc.getValue();
  }
}
