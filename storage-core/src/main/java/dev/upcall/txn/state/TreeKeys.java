package dev.upcall.txn.state;

import dev.upcall.txn.KeyNumbers;

/**
 * Keys of the store's own trees: big-endian, so that the order of bytes is the order of numbers.
 */
public final class TreeKeys {
  private TreeKeys() {}

  /** The key of a segment id. */
  public static byte[] of(long id) {
    return KeyNumbers.key(id);
  }

  /** The segment id that a key begins with. */
  public static long id(byte[] key) {
    return KeyNumbers.get(key, 0);
  }
}
