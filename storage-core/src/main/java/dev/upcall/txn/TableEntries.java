package dev.upcall.txn;

import dev.upcall.completion.Failure;
import dev.upcall.segment.layout.TreeKeys;
import dev.upcall.tree.PageLook;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Entries of tables as the tree of all entries has them: the id of the table (u64, big-endian) and
 * the entry's key lead to a byte for the form and the value, or where its content is. Under the id
 * alone, which no entry has, stands how many entries the table has (u64, little-endian); a put or
 * remove that changes that changes both.
 */
public final class TableEntries {
  /** The longest key of an entry; the shortest has one byte. */
  public static final int MAX_KEY_BYTES = 288;

  /** The largest value that stands in the tree. */
  public static final int MAX_VALUE_BYTES = 1180;

  private static final byte INLINE = 1;
  private static final byte CONTENT = 2;
  private static final int CONTENT_BYTES = 1 + 2 * Long.BYTES;
  private static final byte[] ORPHAN = {3};

  private TableEntries() {}

  /** The value of an entry, as the tree of all entries has it. */
  public sealed interface Value {
    /** How many bytes it has. */
    long sizeBytes();

    /** One that stands in the tree. */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares values
    record Inline(byte[] bytes) implements Value {
      @Override
      public long sizeBytes() {
        return bytes.length;
      }
    }

    /**
     * One that is content of its own.
     *
     * @param segment whose content it is: a file without a name, whose parent is the table, and to
     *     which no other entry leads
     */
    record Content(long segment, long sizeBytes) implements Value {}
  }

  /** Why no entry can have a key, or null. */
  public static @Nullable Failure refusesKey(byte[] key) {
    return refusesKey("the key of an entry", key);
  }

  /**
   * Likewise.
   *
   * @param what the key's name, for messages
   */
  public static @Nullable Failure refusesKey(String what, byte[] key) {
    Objects.requireNonNull(key, "key");
    if (key.length > MAX_KEY_BYTES) {
      return new Failure.TooLarge(what, key.length, MAX_KEY_BYTES);
    }
    return key.length == 0 ? new Failure.Invalid(what + " must not be empty") : null;
  }

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

  /**
   * The lowest key that is behind all entries the table could have. As low keys of pages are cut
   * short, so is this: no page that begins there has any of them.
   */
  public static byte[] endKey(long table) {
    byte[] end = TreeKeys.of(table + 1);
    int length = end.length;
    while (end[length - 1] == 0) {
      length--;
    }
    return Arrays.copyOf(end, length);
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

  /** The stored form of a value that stands in the tree. */
  public static byte[] stored(byte[] value) {
    byte[] stored = new byte[1 + value.length];
    stored[0] = INLINE;
    System.arraycopy(value, 0, stored, 1, value.length);
    return stored;
  }

  /** The stored form of a value that is content. */
  public static byte[] stored(Value.Content value) {
    return little(new byte[CONTENT_BYTES])
        .put(CONTENT)
        .putLong(value.segment())
        .putLong(value.sizeBytes())
        .array();
  }

  /** Whether a stored form leads to content; nothing else of it is looked at. */
  public static boolean isContent(byte[] stored) {
    return stored.length == CONTENT_BYTES && stored[0] == CONTENT;
  }

  /**
   * The value of a stored form.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static Value value(byte[] stored) {
    if (isContent(stored)) {
      long segment = little(stored).getLong(1);
      long sizeBytes = little(stored).getLong(1 + Long.BYTES);
      if (segment <= 0 || sizeBytes < 0) {
        throw new IllegalArgumentException(
            "an entry whose value is segment %d of %d bytes".formatted(segment, sizeBytes));
      }
      return new Value.Content(segment, sizeBytes);
    }
    if (stored.length == 0 || stored[0] != INLINE) {
      throw new IllegalArgumentException("an entry whose value has an unknown form");
    }
    return new Value.Inline(Arrays.copyOfRange(stored, 1, stored.length));
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

  /**
   * A range of keys of the tree, in words. Keys of inner pages are cut short.
   *
   * @param high the first key behind it, or null: the tree ends with it
   */
  public static String between(byte[] low, byte @Nullable [] high) {
    return "the entries from %s up to %s"
        .formatted(
            low.length == 0 ? "the first" : side(low), high == null ? "the last" : side(high));
  }

  private static String side(byte[] key) {
    String of = "table " + PageLook.firstNumber(key);
    return key.length <= Long.BYTES
        ? of
        : "key 0x%s of %s".formatted(HexFormat.of().formatHex(keyIn(key)), of);
  }

  private static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
