package dev.upcall.journal.entry;

import dev.upcall.journal.entry.Decoded.Reason;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * Entries as bytes, little-endian. Only what {@link #encode} writes is decoded.
 *
 * <pre>
 *   0  mark "UpJE" (4)        4  version (2)       6  kind (1)      7  zero (1)
 *   8  queue id (16)                              24  generation (8)
 *  32  producer id (16)                           48  incarnation (8)
 *  56  producer's sequence (8)                    64  part (4)     68  parts (4)
 *  72  when it was appended, milliseconds since 1970 (8)
 *  80  bytes of the body (4)                      84  CRC32C of bytes 0 to 84 and the body (4)
 *  88  body
 * </pre>
 */
public final class EntryCodec {
  /** The one that is written, and the only one that is read. */
  public static final int VERSION = 3;

  /** What stands before the body. */
  public static final int HEAD_BYTES = 88;

  /** The largest entry. */
  public static final int MAX_ENTRY_BYTES = HEAD_BYTES + Entry.MAX_BODY_BYTES;

  private static final int MARK = 0x454a7055;
  private static final int VERSION_AT = 4;
  private static final int KIND_AT = 6;
  private static final int ZERO_AT = 7;
  private static final int LENGTH_AT = 80;
  private static final int CHECKSUM_AT = 84;

  private EntryCodec() {}

  /** The bytes of an entry. */
  public static byte[] encode(Entry entry) {
    byte[] body = entry.body();
    Origin origin = entry.origin();
    byte[] bytes = new byte[HEAD_BYTES + body.length];
    ByteBuffer head = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    head.putInt(MARK).putShort((short) VERSION).put((byte) entry.kind().code()).put((byte) 0);
    putId(head, origin.queue()).putLong(origin.generation());
    putId(head, origin.producer()).putLong(origin.incarnation()).putLong(origin.sequence());
    head.putInt(entry.part()).putInt(entry.parts()).putLong(entry.appendedMillis());
    head.putInt(body.length);
    head.put(HEAD_BYTES, body);
    head.putInt(CHECKSUM_AT, checksum(bytes));
    return bytes;
  }

  /** The entry that bytes are. */
  public static Decoded<Entry> decode(byte[] bytes) {
    if (bytes.length < HEAD_BYTES) {
      return refused(Reason.NO_ENTRY, bytes.length + " bytes are no entry");
    }
    ByteBuffer head = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (head.getInt(0) != MARK) {
      return refused(Reason.NO_ENTRY, "an entry begins with another mark");
    }
    int version = Short.toUnsignedInt(head.getShort(VERSION_AT));
    if (version != VERSION) {
      return refused(Reason.VERSION, "version %d is not %d".formatted(version, VERSION));
    }
    if (bytes.length > MAX_ENTRY_BYTES) {
      return refused(
          Reason.TOO_LARGE,
          "%d bytes, an entry has at most %d".formatted(bytes.length, MAX_ENTRY_BYTES));
    }
    int bodyBytes = bytes.length - HEAD_BYTES;
    long saidBytes = Integer.toUnsignedLong(head.getInt(LENGTH_AT));
    if (saidBytes != bodyBytes) {
      return refused(
          Reason.LENGTH, "a body of %d bytes where %d are said".formatted(bodyBytes, saidBytes));
    }
    int said = checksumOf(bytes);
    int found = checksum(bytes);
    if (said != found) {
      return refused(Reason.CHECKSUM, "checksum %08x where %08x is said".formatted(found, said));
    }
    return fields(head, bodyBytes);
  }

  /** Whether bytes have an entry's mark, length and checksum, of whatever version and kind. */
  public static boolean isWhole(byte[] bytes) {
    if (bytes.length < HEAD_BYTES || bytes.length > MAX_ENTRY_BYTES) {
      return false;
    }
    ByteBuffer head = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    return isMark(head.getInt(0))
        && head.getInt(LENGTH_AT) == bytes.length - HEAD_BYTES
        && head.getInt(CHECKSUM_AT) == checksum(bytes);
  }

  /** Whether an entry begins with these four bytes. */
  public static boolean isMark(int bytes) {
    return bytes == MARK;
  }

  /**
   * The checksum that the bytes of an entry say they have; with the index it tells which entry was
   * read.
   */
  public static int checksumOf(byte[] encoded) {
    return ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN).getInt(CHECKSUM_AT);
  }

  private static Decoded<Entry> fields(ByteBuffer bytes, int bodyBytes) {
    EntryKind kind = EntryKind.of(bytes.get(KIND_AT));
    if (kind == null || bytes.get(ZERO_AT) != 0) {
      return refused(
          Reason.HEAD, "kind %d.%d is none".formatted(bytes.get(KIND_AT), bytes.get(ZERO_AT)));
    }
    bytes.position(ZERO_AT + 1);
    UUID queue = id(bytes);
    long generation = bytes.getLong();
    UUID producer = id(bytes);
    Origin origin = new Origin(queue, generation, producer, bytes.getLong(), bytes.getLong());
    int part = bytes.getInt();
    int parts = bytes.getInt();
    long appendedMillis = bytes.getLong();
    String wrong = Entry.whatIsWrong(part, parts, bodyBytes);
    if (wrong != null) {
      return refused(Reason.HEAD, wrong);
    }
    byte[] body = new byte[bodyBytes];
    bytes.get(HEAD_BYTES, body);
    return new Decoded.Value<>(new Entry(origin, kind, part, parts, body, appendedMillis));
  }

  private static int checksum(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, CHECKSUM_AT);
    crc.update(bytes, HEAD_BYTES, bytes.length - HEAD_BYTES);
    return (int) crc.getValue();
  }

  private static ByteBuffer putId(ByteBuffer to, UUID id) {
    return to.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
  }

  private static UUID id(ByteBuffer from) {
    long high = from.getLong();
    return new UUID(high, from.getLong());
  }

  private static Decoded<Entry> refused(Reason reason, String message) {
    return new Decoded.Refused<>(reason, message);
  }
}
