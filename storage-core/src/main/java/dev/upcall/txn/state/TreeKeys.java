package dev.upcall.txn.state;

import java.nio.ByteBuffer;

/**
 * Keys of the store's own trees: big-endian, so that the order of bytes is the order of numbers.
 */
public final class TreeKeys {
  private TreeKeys() {}

  /** The key of a segment id. */
  public static byte[] of(long id) {
    return ByteBuffer.allocate(8).putLong(id).array();
  }

  /** The segment id that a key begins with. */
  public static long id(byte[] key) {
    return ByteBuffer.wrap(key).getLong();
  }
}
