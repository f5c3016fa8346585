package dev.upcall.fileman.plan;

import dev.upcall.base.Invariants;
import dev.upcall.content.Kind;
import dev.upcall.segment.layout.TreeKeys;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Keys and values of the name tree. Key: the parent's id (u64, big-endian), then the name in UTF-8,
 * so that a directory's entries are neighbours in the order of their names' bytes. Value: the
 * segment's id (u64, little-endian), then its kind (u8).
 */
public final class Names {
  private static final int ID_BYTES = Long.BYTES;
  private static final int VALUE_BYTES = ID_BYTES + 1;

  private Names() {}

  /**
   * What a name leads to.
   *
   * @param id the segment
   * @param kind what it is; never differs from its inode
   */
  public record Entry(long id, Kind kind) {}

  /** The key of a name in a directory. */
  static byte[] key(long parent, byte[] name) {
    return key(parent, name, 0);
  }

  /**
   * The lowest key behind that of a name: a longer key comes later, and no name contains NUL, so
   * nothing lies between.
   */
  static byte[] keyAfter(long parent, byte[] name) {
    return key(parent, name, 1);
  }

  private static byte[] key(long parent, byte[] name, int zeros) {
    byte[] key = TreeKeys.prefix(parent, name.length + zeros);
    System.arraycopy(name, 0, key, ID_BYTES, name.length);
    return key;
  }

  /** The lowest key behind those of all names in a directory. */
  static byte[] keyAfterAll(long parent) {
    return TreeKeys.of(parent + 1);
  }

  /** Whether a key names an entry of a directory. */
  public static boolean isEntryOf(byte[] key, long parent) {
    return key.length > ID_BYTES && TreeKeys.id(key) == parent;
  }

  /** The name in a key. */
  static String nameIn(byte[] key) {
    return new String(key, ID_BYTES, key.length - ID_BYTES, StandardCharsets.UTF_8);
  }

  /** The bytes of the name in a key. */
  public static byte[] nameBytesIn(byte[] key) {
    return Arrays.copyOfRange(key, ID_BYTES, key.length);
  }

  /** The stored form of an entry. */
  static byte[] value(Entry entry) {
    return ByteBuffer.allocate(VALUE_BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(entry.id())
        .put((byte) entry.kind().code())
        .array();
  }

  /** The entry of a stored form. */
  public static Entry entry(byte[] value) {
    Invariants.check(value.length == VALUE_BYTES, "name entry of a wrong size", value.length);
    ByteBuffer bytes = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
    return new Entry(bytes.getLong(), Kind.of(bytes.get()));
  }
}
