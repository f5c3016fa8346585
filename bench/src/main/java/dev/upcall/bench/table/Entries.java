package dev.upcall.bench.table;

import dev.upcall.bench.job.Blocks;
import dev.upcall.bench.peer.EntryStore.Entry;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Entries by number: keys of 16 bytes whose order has nothing to do with the numbers, values that
 * begin with their number and are random otherwise. Used by one thread.
 */
final class Entries {
  /** Bytes of a key. */
  static final int KEY_BYTES = 2 * Long.BYTES;

  private final Blocks blocks;
  private final int valueBytes;

  /**
   * Entries of a seed.
   *
   * @param valueBytes of each value, 8 at least
   */
  Entries(long seed, int valueBytes) {
    this.blocks = new Blocks(seed);
    this.valueBytes = valueBytes;
  }

  /** The key of a number. */
  static byte[] key(long number) {
    return ByteBuffer.allocate(KEY_BYTES).putLong(mixed(number)).putLong(number).array();
  }

  /** Spreads numbers over all longs; none of them twice. */
  static long mixed(long number) {
    long mixed = (number ^ (number >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }

  /** The number that {@link #mixed} was given. */
  private static long unmixed(long mixed) {
    long number = (mixed ^ (mixed >>> 31) ^ (mixed >>> 62)) * 0x319642b2d24d8ec3L;
    number = (number ^ (number >>> 27) ^ (number >>> 54)) * 0x96de1b173f119089L;
    return number ^ (number >>> 30) ^ (number >>> 60);
  }

  /** The numbers below so many, as their keys follow one another. */
  static long[] inKeyOrder(int numbers) {
    long[] ordered = new long[numbers];
    Arrays.setAll(ordered, number -> mixed(number) ^ Long.MIN_VALUE);
    Arrays.sort(ordered);
    Arrays.setAll(ordered, at -> unmixed(ordered[at] ^ Long.MIN_VALUE));
    return ordered;
  }

  /** A value for a number, another one each time that {@code salt} is another. */
  byte[] value(long number, long salt) {
    byte[] value = new byte[valueBytes];
    ByteBuffer bytes = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
    blocks.fill(salt, bytes);
    bytes.putLong(0, number);
    return value;
  }

  /** A whole entry. */
  Entry entry(long number, long salt) {
    return new Entry(key(number), value(number, salt));
  }

  /** The bytes of the user in one of them. */
  int bytes() {
    return KEY_BYTES + valueBytes;
  }

  /** Fails unless a value is one of this number. */
  void check(long number, byte[] value) {
    if (value.length != valueBytes) {
      throw new IllegalStateException(value.length + " bytes instead of " + valueBytes);
    }
    Blocks.check(number, ByteBuffer.wrap(value));
  }

  /** Fails unless key and value belong together. */
  void check(byte[] key, byte[] value) {
    long number = ByteBuffer.wrap(key).getLong(Long.BYTES);
    if (!Arrays.equals(key, key(number))) {
      throw new IllegalStateException("a key that nobody has put");
    }
    check(number, value);
  }
}
