package dev.upcall.txn.log;

import dev.upcall.space.Extent;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The records in the body of a batch, one behind the other without gaps, little-endian:
 *
 * <pre>
 *   0  u32  bytes of the record      4  u32  number of named extents
 *   8  u64  SCN
 *  16  the record
 *  ..  for each named extent: u64 block, u32 blocks, u32 CRC32C for each block
 * </pre>
 */
public final class LogFrames {
  /** What a record needs besides its bytes and its named extents. */
  public static final int HEAD_BYTES = 16;

  private LogFrames() {}

  /** The bytes of a record in the body. */
  public static long bytes(long recordBytes, List<NamedExtent> named) {
    return HEAD_BYTES + recordBytes + NamedExtent.encodedBytes(named);
  }

  /** Appends a record at the buffer's position. */
  static void encode(ByteBuffer out, long scn, ByteBuffer record, List<NamedExtent> named) {
    out.putInt(record.remaining()).putInt(named.size()).putLong(scn);
    out.put(record.duplicate());
    for (NamedExtent one : named) {
      one.encode(out);
    }
  }

  /**
   * Reads all records of a body, copying their bytes; null if it is malformed, which a valid
   * checksum rules out but for a forger.
   */
  static @Nullable List<LogRecord> decode(ByteBuffer source, int recordCount, boolean trusted) {
    ByteBuffer body = source.slice().order(ByteOrder.LITTLE_ENDIAN);
    List<LogRecord> records = new ArrayList<>();
    for (int i = 0; i < recordCount; i++) {
      if (body.remaining() < HEAD_BYTES) {
        return null;
      }
      int recordBytes = body.getInt();
      int namedCount = body.getInt();
      long scn = body.getLong();
      if (recordBytes < 0 || recordBytes > body.remaining() || namedCount < 0) {
        return null;
      }
      byte[] bytes = new byte[recordBytes];
      body.get(bytes);
      List<NamedExtent> named = decodeNamed(body, namedCount);
      if (named == null) {
        return null;
      }
      ByteBuffer record = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      records.add(new LogRecord(scn, record, named, trusted));
    }
    return body.hasRemaining() ? null : records;
  }

  private static @Nullable List<NamedExtent> decodeNamed(ByteBuffer body, int count) {
    List<NamedExtent> named = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (body.remaining() < 12) {
        return null;
      }
      long block = body.getLong();
      int blocks = body.getInt();
      if (block < 0 || blocks <= 0 || blocks > body.remaining() / Integer.BYTES) {
        return null;
      }
      int[] crcs = new int[blocks];
      for (int j = 0; j < blocks; j++) {
        crcs[j] = body.getInt();
      }
      named.add(new NamedExtent(new Extent(block, blocks), crcs));
    }
    return named;
  }
}
