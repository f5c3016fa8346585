package dev.upcall.segment.layout;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A file whose content is found again by its hashes: an entry of the tree of known contents. It
 * promises nothing: the file may have changed or gone, which its version tells, and what has the
 * same hashes is compared byte by byte.
 *
 * <pre>
 * key     0  16  the first bytes of SHA-256 over the first 64 KiB
 *        16  16  the first bytes of SHA-256 over the whole
 * value   0   8  segment id      u64, little-endian
 *         8   8  version         u64
 *        16   8  size in bytes   u64
 * </pre>
 *
 * One more entry, before all others, has how many there are: its key is one byte 0, its value a
 * u64.
 *
 * @param segment id of the file
 * @param version of the file, when it got the content
 * @param sizeBytes of the content
 */
public record KnownContent(long segment, long version, long sizeBytes) {
  /** Bytes of one hash in a key. */
  public static final int HASH_BYTES = 16;

  /** Bytes of a key. */
  public static final int KEY_BYTES = 2 * HASH_BYTES;

  private static final int VALUE_BYTES = 3 * Long.BYTES;
  private static final byte[] COUNT_KEY = {0};

  /** The key of content: the first bytes of both hashes, which have at least as many. */
  public static byte[] key(byte[] first, byte[] whole) {
    byte[] key = new byte[KEY_BYTES];
    System.arraycopy(first, 0, key, 0, HASH_BYTES);
    System.arraycopy(whole, 0, key, HASH_BYTES, HASH_BYTES);
    return key;
  }

  /** Whether a key is of content with this first hash. */
  public static boolean begins(byte[] key, byte[] first) {
    if (key.length != KEY_BYTES) {
      return false;
    }
    for (int i = 0; i < HASH_BYTES; i++) {
      if (key[i] != first[i]) {
        return false;
      }
    }
    return true;
  }

  /** Where the number of entries stands. */
  public static byte[] countKey() {
    return COUNT_KEY.clone();
  }

  /** Whether what stands under a key is the number of entries. */
  public static boolean isCount(byte[] key) {
    return key.length == COUNT_KEY.length && key[0] == 0;
  }

  /** The stored form of a number of entries. */
  public static byte[] storedCount(long entries) {
    return little(new byte[Long.BYTES]).putLong(entries).array();
  }

  /**
   * How many entries a stored form says.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static long count(byte[] stored) {
    if (stored.length != Long.BYTES) {
      throw new IllegalArgumentException(
          "a number of known contents of " + stored.length + " bytes");
    }
    return little(stored).getLong();
  }

  /** The stored form of what a key leads to. */
  public byte[] stored() {
    return little(new byte[VALUE_BYTES])
        .putLong(segment)
        .putLong(version)
        .putLong(sizeBytes)
        .array();
  }

  /**
   * The entry that a stored form says.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static KnownContent of(byte[] key, byte[] stored) {
    if (key.length != KEY_BYTES || stored.length != VALUE_BYTES) {
      throw new IllegalArgumentException(
          "a known content with a key of %d and a value of %d bytes"
              .formatted(key.length, stored.length));
    }
    ByteBuffer value = little(stored);
    KnownContent known = new KnownContent(value.getLong(), value.getLong(), value.getLong());
    if (known.segment <= 0 || known.version <= 0 || known.sizeBytes < 0) {
      throw new IllegalArgumentException("no content can be " + known);
    }
    return known;
  }

  private static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
