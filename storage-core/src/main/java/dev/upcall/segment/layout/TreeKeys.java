package dev.upcall.segment.layout;

/**
 * Keys of the store's own trees, and the numbers in them: big-endian, so that the order of bytes is
 * the order of numbers. Byte by byte, which makes no object beside the key, not even where the code
 * is not compiled yet.
 */
public final class TreeKeys {
  private TreeKeys() {}

  /** The key of a segment id. */
  public static byte[] of(long id) {
    return prefix(id, 0);
  }

  /** A key that begins with a number and has room for so many bytes behind it. */
  public static byte[] prefix(long number, int moreBytes) {
    byte[] key = new byte[Long.BYTES + moreBytes];
    put(key, 0, number);
    return key;
  }

  /** A key of two numbers. */
  public static byte[] of(long first, long second) {
    byte[] key = prefix(first, Long.BYTES);
    put(key, Long.BYTES, second);
    return key;
  }

  /** The segment id that a key begins with. */
  public static long id(byte[] key) {
    return number(key, 0);
  }

  /** The number that stands somewhere in a key. */
  public static long number(byte[] key, int at) {
    long number = 0;
    for (int i = at; i < at + Long.BYTES; i++) {
      number = number << Byte.SIZE | key[i] & 0xFF;
    }
    return number;
  }

  private static void put(byte[] key, int at, long number) {
    for (int i = 0; i < Long.BYTES; i++) {
      key[at + i] = (byte) (number >>> 56 - Byte.SIZE * i);
    }
  }
}
