package dev.upcall.txn;

/**
 * Numbers in keys: big-endian, so that the order of bytes is the order of numbers. Byte by byte,
 * which makes no objects, not even where the code is not compiled yet.
 */
public final class KeyNumbers {
  private KeyNumbers() {}

  /** A key that is a number. */
  public static byte[] key(long number) {
    return key(number, 0);
  }

  /** A key that begins with a number and has room for so many bytes behind it. */
  public static byte[] key(long number, int moreBytes) {
    byte[] key = new byte[Long.BYTES + moreBytes];
    put(key, 0, number);
    return key;
  }

  /** The number that stands somewhere in a key. */
  public static long get(byte[] key, int at) {
    return (key[at] & 0xFFL) << 56
        | (key[at + 1] & 0xFFL) << 48
        | (key[at + 2] & 0xFFL) << 40
        | (key[at + 3] & 0xFFL) << 32
        | (key[at + 4] & 0xFFL) << 24
        | (key[at + 5] & 0xFFL) << 16
        | (key[at + 6] & 0xFFL) << 8
        | key[at + 7] & 0xFFL;
  }

  /** Puts a number somewhere into a key. */
  public static void put(byte[] key, int at, long number) {
    key[at] = (byte) (number >>> 56);
    key[at + 1] = (byte) (number >>> 48);
    key[at + 2] = (byte) (number >>> 40);
    key[at + 3] = (byte) (number >>> 32);
    key[at + 4] = (byte) (number >>> 24);
    key[at + 5] = (byte) (number >>> 16);
    key[at + 6] = (byte) (number >>> 8);
    key[at + 7] = (byte) number;
  }
}
