package dev.upcall.txn;

import dev.upcall.segment.layout.TreeKeys;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Entries of tables as the tree of all entries has them: the id of the table (u64, big-endian) and
 * the entry's key lead to a byte for the form and the value. Under the id alone, which no entry
 * has, stands how many entries the table has (u64, little-endian); a put or remove that changes
 * that changes both.
 */
public final class TableEntries {
  /** The longest key of an entry; the shortest has one byte. */
  public static final int MAX_KEY_BYTES = 288;

  /** The largest value that stands in the tree. */
  public static final int MAX_VALUE_BYTES = 1180;

  private static final byte INLINE = 1;
  private static final byte[] ORPHAN = {3};

  private TableEntries() {}

  /** Where the number of a table's entries stands; all its entries are behind it. */
  public static byte[] countKey(long table) {
    return TreeKeys.of(table);
  }

  /** The key of an entry. */
  public static byte[] key(long table, byte[] key) {
    byte[] whole = TreeKeys.prefix(table, key.length);
    System.arraycopy(key, 0, whole, Long.BYTES, key.length);
    return whole;
  }

  /** A key behind which no entry of the table is, and before which none of another is. */
  public static byte[] endKey(long table) {
    return TreeKeys.of(table + 1);
  }

  /** Whose entry it is. */
  public static long table(byte[] key) {
    return TreeKeys.id(key);
  }

  /** Whether what stands under a key is a number of entries. */
  public static boolean isCount(byte[] key) {
    return key.length == Long.BYTES;
  }

  /** The key within the table. */
  public static byte[] keyIn(byte[] key) {
    return Arrays.copyOfRange(key, Long.BYTES, key.length);
  }

  /** The stored form of a value. */
  public static byte[] stored(byte[] value) {
    byte[] stored = new byte[1 + value.length];
    stored[0] = INLINE;
    System.arraycopy(value, 0, stored, 1, value.length);
    return stored;
  }

  /**
   * The value of a stored form.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static byte[] value(byte[] stored) {
    if (stored.length == 0 || stored[0] != INLINE) {
      throw new IllegalArgumentException("an entry whose value has an unknown form");
    }
    return Arrays.copyOfRange(stored, 1, stored.length);
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
      throw new IllegalArgumentException("a number of entries of " + stored.length + " bytes");
    }
    return little(stored).getLong();
  }

  /**
   * The mark of a deleted table in the tree of orphans under its id, until its entries are gone.
   */
  public static byte[] orphan() {
    return ORPHAN.clone();
  }

  /** Whether an entry of the tree of orphans is a deleted table. */
  public static boolean isOrphan(byte[] orphan) {
    return Arrays.equals(orphan, ORPHAN);
  }

  private static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
