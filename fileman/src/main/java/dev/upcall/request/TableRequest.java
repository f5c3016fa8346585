package dev.upcall.request;

import dev.upcall.Existence;
import dev.upcall.FileContent;
import dev.upcall.FileOperation;
import dev.upcall.MetadataChange;
import dev.upcall.Parents;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import dev.upcall.txn.TableEntries;
import java.util.List;
import java.util.Objects;

/**
 * A change of a table, alone or in a batch with changes of files. A table has a name as a file has,
 * and is listed, renamed, deleted and given attributes and an expiry as files are; its entries are
 * keys with values, in the order of the keys' unsigned bytes. Symbolic links lead to it.
 *
 * <p>Each leaves the table's own metadata as they are and answers them. Failures besides those of
 * all requests: {@code IsADirectory}, and {@code Invalid} for a path that leads to a file.
 *
 * <p>A transaction locks the keys that it changes, not the table; how many entries there are is
 * nobody's conflict.
 */
public sealed interface TableRequest extends FileRequest {
  /** The longest key of an entry; the shortest has one byte. */
  int MAX_KEY_BYTES = 288;

  /** The largest value of a {@link PutEntry}; a larger one is put as content, by its path. */
  int MAX_VALUE_BYTES = 1180;

  /**
   * The request that puts an entry with a value of any size that is given as bytes: a {@link
   * PutEntry}, or beyond {@link #MAX_VALUE_BYTES} a {@link FileRequest.Put} to its path ({@link
   * StorePath#entry}). Both make an entry as any other.
   *
   * @param value must not be changed
   * @param expect {@code TooLarge} with a larger value than {@link #MAX_VALUE_BYTES}, if it is a
   *     value that must be there
   */
  static FileRequest put(StorePath table, byte[] key, byte[] value, Expect expect) {
    Objects.requireNonNull(table, "table");
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(expect, "expect");
    return value.length <= MAX_VALUE_BYTES
        ? new PutEntry(table, key, value, expect)
        : new FileRequest.Put(
            table.entry(key),
            new FileContent.Bytes(value),
            PutOptions.DEFAULT.withExistence(existence(value, expect)));
  }

  private static Existence existence(byte[] value, Expect expect) {
    return switch (expect) {
      case Expect.Any _ -> Existence.ANY;
      case Expect.Absent _ -> Existence.MUST_NOT_EXIST;
      case Expect.Present _ -> Existence.MUST_EXIST;
      case Expect.Value _ -> throw tooLarge("a value in the place of an expected one", value);
    };
  }

  private static UpcallException tooLarge(String what, byte[] value) {
    return UpcallException.of(new Failure.TooLarge(what, value.length, MAX_VALUE_BYTES));
  }

  /** The table. */
  StorePath path();

  @Override
  default FileOperation operation() {
    return switch (this) {
      case CreateTable _ -> FileOperation.CREATE_TABLE;
      case PutEntry _ -> FileOperation.PUT_ENTRY;
      case RemoveEntry _, RemoveRange _ -> FileOperation.REMOVE_ENTRY;
    };
  }

  @Override
  default String purpose() {
    return switch (this) {
      case CreateTable create -> "create table " + create.path();
      case PutEntry put -> "put an entry of " + put.path();
      case RemoveEntry remove -> "remove an entry of " + remove.path();
      case RemoveRange remove -> "remove entries of " + remove.path();
    };
  }

  @Override
  default List<StorePath> paths() {
    return List.of(path());
  }

  /** The bytes of the value that it brings. */
  default int valueBytes() {
    return this instanceof PutEntry put ? put.value().length : 0;
  }

  /**
   * Makes a table without entries. With {@link Parents#MAKE} an existing table is a success; else
   * {@code AlreadyExists}, and so is anything else under the name. The first table of a volume
   * makes it one that earlier versions refuse.
   */
  record CreateTable(StorePath path, Parents parents, MetadataChange metadata)
      implements TableRequest {
    /** Checks that nothing is missing. */
    public CreateTable {
      Objects.requireNonNull(path, "path");
      Objects.requireNonNull(parents, "parents");
      Objects.requireNonNull(metadata, "metadata");
    }

    /** Below a directory that is there, with the standard permissions. */
    public CreateTable(CharSequence path) {
      this(path, Parents.MUST_EXIST, MetadataChange.NONE);
    }

    /** By the path as text. */
    public CreateTable(CharSequence path, Parents parents, MetadataChange metadata) {
      this(Paths.parsed("path", path), parents, metadata);
    }
  }

  /**
   * Puts an entry.
   *
   * @param key 1 to {@link #MAX_KEY_BYTES} bytes; must not be changed
   * @param value at most {@link #MAX_VALUE_BYTES}; must not be changed
   */
  @SuppressWarnings("ArrayRecordComponent") // as all requests with content
  record PutEntry(StorePath path, byte[] key, byte[] value, Expect expect) implements TableRequest {
    /** Checks key and value. */
    public PutEntry {
      Objects.requireNonNull(path, "path");
      checkKey(key);
      Objects.requireNonNull(value, "value");
      Objects.requireNonNull(expect, "expect");
      if (value.length > MAX_VALUE_BYTES) {
        throw tooLarge("the value of an entry (a larger one is put by its path)", value);
      }
    }

    /** Any value may be there. */
    public PutEntry(CharSequence path, byte[] key, byte[] value) {
      this(path, key, value, Expect.ANY);
    }

    /** By the path as text. */
    public PutEntry(CharSequence path, byte[] key, byte[] value, Expect expect) {
      this(Paths.parsed("path", path), key, value, expect);
    }
  }

  /**
   * Removes an entry; harmless when it is absent, unless something else is expected.
   *
   * @param key as of {@link PutEntry}
   */
  @SuppressWarnings("ArrayRecordComponent") // as all requests with content
  record RemoveEntry(StorePath path, byte[] key, Expect expect) implements TableRequest {
    /** Checks the key. */
    public RemoveEntry {
      Objects.requireNonNull(path, "path");
      checkKey(key);
      Objects.requireNonNull(expect, "expect");
    }

    /** Any value may be there. */
    public RemoveEntry(CharSequence path, byte[] key) {
      this(path, key, Expect.ANY);
    }

    /** By the path as text. */
    public RemoveEntry(CharSequence path, byte[] key, Expect expect) {
      this(Paths.parsed("path", path), key, expect);
    }
  }

  /**
   * Removes the first entries of a range; the batch says how many, and whether there are more
   * ({@link dev.upcall.BatchResult#removals}).
   *
   * @param limit how many at most, 1 to {@link #MAX_ENTRIES}
   */
  record RemoveRange(StorePath path, KeyRange range, int limit) implements TableRequest {
    /** The most entries that one request removes. */
    public static final int MAX_ENTRIES = 4096;

    /** Checks the limit. */
    public RemoveRange {
      Objects.requireNonNull(path, "path");
      Objects.requireNonNull(range, "range");
      if (limit < 1 || limit > MAX_ENTRIES) {
        throw UpcallException.of(
            new Failure.Invalid(
                "a removal is of 1 to %d entries, not %d".formatted(MAX_ENTRIES, limit)));
      }
    }

    /** As many as one request removes. */
    public RemoveRange(CharSequence path, KeyRange range) {
      this(path, range, MAX_ENTRIES);
    }

    /** By the path as text. */
    public RemoveRange(CharSequence path, KeyRange range, int limit) {
      this(Paths.parsed("path", path), range, limit);
    }
  }

  /** Refuses a key that no entry can have. */
  static void checkKey(byte[] key) {
    Failure refused = TableEntries.refusesKey(key);
    if (refused != null) {
      throw UpcallException.of(refused);
    }
  }
}
