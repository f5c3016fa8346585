package dev.upcall.bench.ecommerce.volume;

import dev.upcall.bench.ecommerce.Table;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What pages hold: their number, how often they were changed, bytes that no device can make
 * smaller, and a checksum of all that. So a byte that is wrong, a page of another place and one of
 * another time are all found. One thread.
 */
final class PageContent {
  static final int BYTES = Table.PAGE_BYTES;

  private static final int CHECKSUM_AT = BYTES - Integer.BYTES;
  private static final int BODY_BYTES = CHECKSUM_AT - 2 * Long.BYTES;
  private static final int POOL_BYTES = 1 << 20;
  private static final long STEP = 7919;

  private final byte[] pool = new byte[POOL_BYTES];
  private final CRC32C checksum = new CRC32C();

  PageContent() {
    new Random(1).nextBytes(pool);
  }

  /** Puts a page into a buffer, whose position moves behind it. */
  void put(long page, int version, ByteBuffer into) {
    into.order(ByteOrder.LITTLE_ENDIAN);
    int from = into.position();
    into.putLong(page);
    into.putLong(version);
    int at = (int) Math.floorMod((page * STEP + version) * STEP, (long) POOL_BYTES - BODY_BYTES);
    into.put(pool, at, BODY_BYTES);
    into.putInt(checksum(into, from));
  }

  /**
   * What is wrong with a page that was read, or null.
   *
   * @param bytes of it, from its position on, which moves behind it
   * @param least the version that was written when it was asked for
   * @param most the version that it has now
   */
  @Nullable String wrong(long page, ByteBuffer bytes, int least, int most) {
    bytes.order(ByteOrder.LITTLE_ENDIAN);
    int from = bytes.position();
    bytes.position(from + BYTES);
    int expected = checksum(bytes, from);
    int found = bytes.getInt(from + CHECKSUM_AT);
    if (found != expected) {
      return "page %d has other bytes: checksum %08x, not %08x".formatted(page, found, expected);
    }
    long number = bytes.getLong(from);
    if (number != page) {
      return "page %d was read where page %d is".formatted(number, page);
    }
    long version = bytes.getLong(from + Long.BYTES);
    if (version < least || version > most) {
      return "page %d was read as change %d left it, not as one from %d to %d did"
          .formatted(page, version, least, most);
    }
    return null;
  }

  private int checksum(ByteBuffer bytes, int from) {
    checksum.reset();
    checksum.update(bytes.duplicate().clear().position(from).limit(from + CHECKSUM_AT));
    return (int) checksum.getValue();
  }
}
