package dev.upcall.txn;

import dev.upcall.segment.layout.TreeKeys;

/**
 * Keys of the tree of expiries: time in nanoseconds since 1970, then segment id, both u64 and
 * big-endian, so that what expires first comes first.
 */
public final class ExpiryKeys {
  /** The length of a key. */
  public static final int BYTES = 2 * Long.BYTES;

  private ExpiryKeys() {}

  /** The key of a segment that expires at a time, which is not negative. */
  public static byte[] of(long expiresNanos, long id) {
    return TreeKeys.of(expiresNanos, id);
  }

  /** When the segment of a key expires. */
  public static long expiresNanos(byte[] key) {
    return TreeKeys.number(key, 0);
  }

  /** Whose expiry a key is. */
  public static long id(byte[] key) {
    return TreeKeys.number(key, Long.BYTES);
  }
}
