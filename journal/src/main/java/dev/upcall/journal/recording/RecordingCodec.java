package dev.upcall.journal.recording;

import dev.upcall.journal.recording.RecordingEntry.Names;
import dev.upcall.journal.recording.RecordingEntry.Origin;
import dev.upcall.journal.recording.RecordingEntry.Records;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Entries of a recording as bytes, little-endian.
 *
 * <pre>
 *   0  mark "UpJR" (4)        4  version (2)       6  kind (1)      7  zero (1)
 *   8  id of the run (16)                         24  number of the first record or name (8)
 *  32  time of day, ns since 1970 (8)             40  clock of the records at that moment, ns (8)
 *  48  records or names (4)  52  bytes of the body (4)
 *  56  CRC32C of bytes 0 to 56 and the body (4)   60  zero (4)
 *  64  body: {@link DenseRecords}, or names: a byte for the length, then UTF-8
 * </pre>
 *
 * <p>In version 1 records are six longs each; the simulator's are.
 */
public final class RecordingCodec {
  /** The one that is written. */
  public static final int VERSION = 2;

  /** The other one that is read. */
  private static final int PLAIN_VERSION = 1;

  /** What stands before the body. */
  public static final int HEAD_BYTES = 64;

  /** The largest entry. */
  public static final int MAX_ENTRY_BYTES =
      HEAD_BYTES
          + RecordingEntry.MAX_COUNT
              * Math.max(DenseRecords.MAX_BYTES, 1 + RecordingEntry.MAX_NAME_BYTES);

  /** How each entry begins. */
  static final int MARK = 0x524a7055;

  private static final byte RECORDS = 1;
  private static final byte NAMES = 2;
  private static final int VERSION_AT = 4;
  private static final int KIND_AT = 6;
  private static final int ZERO_AT = 7;
  private static final int RUN_AT = 8;
  private static final int FIRST_AT = 24;
  private static final int EPOCH_AT = 32;
  private static final int CLOCK_AT = 40;
  private static final int COUNT_AT = 48;
  private static final int LENGTH_AT = 52;
  private static final int CHECKSUM_AT = 56;
  private static final int LAST_ZERO_AT = 60;

  private RecordingCodec() {}

  /** The bytes of an entry. */
  public static byte[] encode(RecordingEntry entry) {
    return switch (entry) {
      case Records records ->
          new RecordsEncoder(records.count())
              .encode(records.origin(), records.first(), records.count(), records.bytes());
      case Names(Origin origin, int first, List<String> names) -> {
        List<byte[]> cut = names.stream().map(RecordingCodec::cut).toList();
        int size = cut.stream().mapToInt(name -> 1 + name.length).sum();
        ByteBuffer bytes = ByteBuffer.allocate(HEAD_BYTES + size).position(HEAD_BYTES);
        cut.forEach(name -> bytes.put((byte) name.length).put(name));
        finish(bytes.array(), NAMES, origin, first, names.size());
        yield bytes.array();
      }
    };
  }

  /** Makes entries of records, in the same memory. One thread at a time. */
  static final class RecordsEncoder {
    private final DenseRecords dense = new DenseRecords();
    private final byte[] room;
    private final ByteBuffer to;

    /**
     * An encoder.
     *
     * @param most records of an entry
     */
    RecordsEncoder(int most) {
      room = new byte[HEAD_BYTES + most * DenseRecords.MAX_BYTES + DenseRecords.SPARE_BYTES];
      to = ByteBuffer.wrap(room).order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * The bytes of an entry.
     *
     * @param records little-endian, from byte 0 on
     */
    byte[] encode(Origin origin, long first, int count, ByteBuffer records) {
      byte[] bytes = Arrays.copyOf(room, dense.pack(records, count, to, HEAD_BYTES));
      finish(bytes, RECORDS, origin, first, count);
      return bytes;
    }
  }

  private static void finish(byte[] bytes, byte kind, Origin origin, long first, int count) {
    ByteBuffer head = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    head.putInt(MARK).putShort((short) VERSION).put(kind).put((byte) 0);
    UUID run = origin.run();
    head.putLong(run.getMostSignificantBits()).putLong(run.getLeastSignificantBits());
    head.putLong(first).putLong(origin.epochNanos()).putLong(origin.clockNanos());
    head.putInt(count).putInt(bytes.length - HEAD_BYTES);
    head.putInt(CHECKSUM_AT, checksum(head, 0, bytes.length));
  }

  /** A name without what would be too long, never a part of a character. */
  private static byte[] cut(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    int end = Math.min(bytes.length, RecordingEntry.MAX_NAME_BYTES);
    while (end < bytes.length && (bytes[end] & 0xC0) == 0x80) {
      end--;
    }
    return Arrays.copyOf(bytes, end);
  }

  /**
   * How long the entry at a position says it is; 0 when none begins there.
   *
   * @param from little-endian; its position is not used
   * @param at with a whole head before the limit
   */
  static int length(ByteBuffer from, int at) {
    if (from.getInt(at) != MARK) {
      return 0;
    }
    long said = HEAD_BYTES + Integer.toUnsignedLong(from.getInt(at + LENGTH_AT));
    return said > MAX_ENTRY_BYTES ? 0 : (int) said;
  }

  /**
   * The entry at a position; null when the bytes there are none, or damaged.
   *
   * @param from little-endian; its position is not used
   */
  public static @Nullable RecordingEntry decode(ByteBuffer from, int at) {
    if (from.limit() - at < HEAD_BYTES) {
      return null;
    }
    int length = length(from, at);
    if (length == 0
        || length > from.limit() - at
        || !isRead(from.getShort(at + VERSION_AT))
        || from.get(at + ZERO_AT) != 0
        || from.getInt(at + LAST_ZERO_AT) != 0
        || from.getInt(at + CHECKSUM_AT) != checksum(from, at, length)) {
      return null;
    }
    UUID run = new UUID(from.getLong(at + RUN_AT), from.getLong(at + RUN_AT + Long.BYTES));
    Origin origin = new Origin(run, from.getLong(at + EPOCH_AT), from.getLong(at + CLOCK_AT));
    int count = from.getInt(at + COUNT_AT);
    long first = from.getLong(at + FIRST_AT);
    if (count < 1 || count > RecordingEntry.MAX_COUNT || first < 0) {
      return null;
    }
    ByteBuffer body = from.slice(at + HEAD_BYTES, length - HEAD_BYTES);
    return switch (from.get(at + KIND_AT)) {
      case RECORDS ->
          from.getShort(at + VERSION_AT) == PLAIN_VERSION
              ? plain(origin, first, count, body)
              : dense(origin, first, count, body);
      case NAMES -> first > Integer.MAX_VALUE ? null : names(origin, (int) first, count, body);
      default -> null;
    };
  }

  private static boolean isRead(short version) {
    return version == VERSION || version == PLAIN_VERSION;
  }

  private static @Nullable Records plain(Origin origin, long first, int count, ByteBuffer body) {
    if (body.limit() != count * RecordingEntry.RECORD_BYTES) {
      return null;
    }
    return new Records(origin, first, room(count).put(body).flip());
  }

  private static @Nullable Records dense(Origin origin, long first, int count, ByteBuffer body) {
    ByteBuffer records = room(count);
    return new DenseRecords().unpack(body, records)
        ? new Records(origin, first, records.flip())
        : null;
  }

  private static ByteBuffer room(int count) {
    return ByteBuffer.allocate(count * RecordingEntry.RECORD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static @Nullable Names names(Origin origin, int first, int count, ByteBuffer body) {
    List<String> names = new ArrayList<>();
    while (names.size() < count && body.hasRemaining()) {
      int length = body.get();
      if (length < 0 || length > RecordingEntry.MAX_NAME_BYTES || length > body.remaining()) {
        return null;
      }
      ByteBuffer name = body.slice(body.position(), length);
      body.position(body.position() + length);
      try {
        names.add(StandardCharsets.UTF_8.newDecoder().decode(name).toString());
      } catch (CharacterCodingException noText) {
        return null;
      }
    }
    return names.size() == count && !body.hasRemaining() ? new Names(origin, first, names) : null;
  }

  private static int checksum(ByteBuffer bytes, int at, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.slice(at, CHECKSUM_AT));
    crc.update(bytes.slice(at + HEAD_BYTES, length - HEAD_BYTES));
    return (int) crc.getValue();
  }
}
