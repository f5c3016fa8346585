package dev.upcall.txn.lock;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/** Something that can be locked. A value; ordered, so that many are taken in one order. */
public final class LockKey implements Comparable<LockKey> {
  /** The kinds of things. */
  public enum Kind {
    /** A segment, by its id (u64, big-endian). */
    SEGMENT,
    /** A name in a directory: the directory's id (u64, big-endian), then the name in UTF-8. */
    NAME,
    /** A property of the store, by its name in UTF-8. */
    PROPERTY,
    /** An entry of a table: the table's segment id (u64, big-endian), then the entry's key. */
    ENTRY
  }

  private final Kind kind;
  private final byte[] key;
  private final int hash;

  private LockKey(Kind kind, byte[] key) {
    this.kind = kind;
    this.key = key;
    // An enum's own hash differs from run to run.
    this.hash = 31 * Arrays.hashCode(key) + kind.name().length();
  }

  /** A key; the array is kept and must not be changed. */
  public static LockKey of(Kind kind, byte[] key) {
    return new LockKey(kind, key);
  }

  /** A segment's key. */
  public static LockKey ofSegment(long id) {
    return new LockKey(Kind.SEGMENT, ByteBuffer.allocate(Long.BYTES).putLong(id).array());
  }

  /** What it is. */
  public Kind kind() {
    return kind;
  }

  /** Its bytes; must not be changed. */
  public byte[] bytes() {
    return key;
  }

  @Override
  public int compareTo(LockKey other) {
    int kinds = kind.compareTo(other.kind);
    return kinds != 0 ? kinds : Arrays.compareUnsigned(key, other.key);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LockKey that && kind == that.kind && Arrays.equals(key, that.key);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  /** In words. */
  @Override
  public String toString() {
    return switch (kind) {
      case SEGMENT -> "segment " + id();
      case NAME -> "name \"%s\" in directory %d".formatted(name(), id());
      case PROPERTY -> "property \"%s\"".formatted(name());
      case ENTRY ->
          "entry %s of table %d"
              .formatted(HexFormat.of().formatHex(key, Long.BYTES, key.length), id());
    };
  }

  /** The name, or that of the property; segments and entries have none. */
  public String name() {
    int from = kind == Kind.NAME ? Long.BYTES : 0;
    return new String(key, from, key.length - from, StandardCharsets.UTF_8);
  }

  /**
   * The segment's id, or that of the name's directory or the entry's table; a property has none.
   */
  public long id() {
    return ByteBuffer.wrap(key).getLong();
  }
}
