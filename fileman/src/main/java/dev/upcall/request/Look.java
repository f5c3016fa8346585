package dev.upcall.request;

import dev.upcall.FileInfo;
import dev.upcall.FileOperation;
import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A request that changes nothing and leaves nothing open. It may be asked of the present state, in
 * a transaction and in a snapshot. Of the present state a face answers it on the caller's thread
 * where all that it needs is in memory, over what the store has published, and else asks the store.
 *
 * <p>Failures that all may have: {@code NotFound}, {@code NotADirectory} and {@code LinkLoop} (the
 * way to the name), {@code Corrupt}, {@code Device}, {@code Busy}, {@code Closed}.
 */
public sealed interface Look<R> extends Request<R> {
  @Override
  default FileOperation operation() {
    return switch (this) {
      case Stat _, Exists _, Resolve _, EntryCount _ -> FileOperation.STAT;
      case ListPage _, Names _ -> FileOperation.LIST;
      case ReadLink _ -> FileOperation.READ_LINK;
      case Property _ -> FileOperation.PROPERTY;
      case ReadWhole _, ReadRange _ -> FileOperation.OPEN_READ;
      case Entry _ -> FileOperation.GET_ENTRY;
      case Entries _ -> FileOperation.SCAN_ENTRIES;
    };
  }

  @Override
  default List<StorePath> paths() {
    return switch (this) {
      case Stat stat -> List.of(stat.path());
      case Exists exists -> List.of(exists.path());
      case Resolve resolve -> List.of(resolve.path());
      case ListPage list -> List.of(list.directory());
      case Names names -> List.of(names.directory());
      case ReadLink link -> List.of(link.path());
      case Property _ -> List.of();
      case ReadWhole read -> List.of(read.path());
      case ReadRange read -> List.of(read.path());
      case Entry entry -> List.of(entry.table());
      case Entries entries -> List.of(entries.table());
      case EntryCount count -> List.of(count.table());
    };
  }

  @Override
  default String purpose() {
    return switch (this) {
      case Stat stat -> "stat " + stat.path();
      case Exists exists -> "look for " + exists.path();
      case Resolve resolve -> "resolve " + resolve.path();
      case ListPage list -> "list " + list.directory();
      case Names names -> "list the names of " + names.directory();
      case ReadLink link -> "read link " + link.path();
      case Property property -> "read property " + property.name();
      case ReadWhole read -> "read " + read.path();
      case ReadRange read -> "read a range of " + read.path();
      case Entry entry -> "read an entry of " + entry.table();
      case Entries entries -> "read entries of " + entries.table();
      case EntryCount count -> "count the entries of " + count.table();
    };
  }

  /** A look at names and metadata: a query of a view. */
  sealed interface OfNames<R> extends Look<R> {}

  /** A look at the content of a file, which is copied into an array of the caller's own. */
  sealed interface OfContent extends Look<byte[]> {
    /** The file; symbolic links are followed. */
    StorePath path();
  }

  /** The file, directory or link that a path names. */
  record Stat(StorePath path, LinkPolicy links) implements OfNames<FileInfo> {
    /** Checks that nothing is missing. */
    public Stat {
      Objects.requireNonNull(path, "path");
      Objects.requireNonNull(links, "links");
    }

    /** By the path as text. */
    public Stat(CharSequence path, LinkPolicy links) {
      this(Paths.parsed("path", path), links);
    }
  }

  /** Whether a path names something, symbolic links followed. */
  record Exists(StorePath path) implements OfNames<Boolean> {
    /** Checks that nothing is missing. */
    public Exists {
      Objects.requireNonNull(path, "path");
    }

    /** By the path as text. */
    public Exists(CharSequence path) {
      this(Paths.parsed("path", path));
    }
  }

  /**
   * Where a path leads. Of the failures above it has only {@code Corrupt}, {@code Device}, {@code
   * Busy} and {@code Closed}: a way that is none is part of the answer.
   */
  record Resolve(StorePath path, LinkPolicy links) implements OfNames<Resolved> {
    /** Checks that nothing is missing. */
    public Resolve {
      Objects.requireNonNull(path, "path");
      Objects.requireNonNull(links, "links");
    }

    /** By the path as text. */
    public Resolve(CharSequence path, LinkPolicy links) {
      this(Paths.parsed("path", path), links);
    }
  }

  /**
   * A page of a directory's entries.
   *
   * @param afterName entries after this name only; it need not exist, and after the empty text come
   *     all
   * @param limit 1 to {@link Listing#MAX_ENTRIES}
   */
  record ListPage(StorePath directory, String afterName, int limit) implements OfNames<Listing> {
    /** Checks name and limit. */
    public ListPage {
      Objects.requireNonNull(directory, "directory");
      check(Listing.refuses(afterName, limit));
    }

    /** By the path as text. */
    public ListPage(CharSequence directory, String afterName, int limit) {
      this(Paths.parsed("directory", directory), afterName, limit);
    }
  }

  /** A page of the names of a directory's entries, in either direction. */
  record Names(StorePath directory, Listing.Range range) implements OfNames<Listing.Names> {
    /** Checks the range. */
    public Names {
      Objects.requireNonNull(directory, "directory");
      Objects.requireNonNull(range, "range");
      check(Listing.refuses(range.beyond().orElse(""), range.limit()));
    }

    /** By the path as text. */
    public Names(CharSequence directory, Listing.Range range) {
      this(Paths.parsed("directory", directory), range);
    }
  }

  /** The target of a symbolic link, as it was given. Anything but a link is {@code Invalid}. */
  record ReadLink(StorePath path) implements OfNames<String> {
    /** Checks that nothing is missing. */
    public ReadLink {
      Objects.requireNonNull(path, "path");
    }

    /** By the path as text. */
    public ReadLink(CharSequence path) {
      this(Paths.parsed("path", path));
    }
  }

  /** A property of the store, if it is set. */
  record Property(String name) implements OfNames<Optional<byte[]>> {
    /** Checks that nothing is missing. */
    public Property {
      Objects.requireNonNull(name, "name");
    }
  }

  /**
   * The value of an entry of a table, if there is one; the array is the caller's own. A value that
   * is content is {@code TooLarge}: it is read by its path ({@link StorePath#entry}), as a file is.
   */
  record Entry(StorePath table, byte[] key) implements OfNames<Optional<byte[]>> {
    /** Checks the key. */
    public Entry {
      Objects.requireNonNull(table, "table");
      TableRequest.checkKey(key);
    }

    /** By the path as text. */
    public Entry(CharSequence table, byte[] key) {
      this(Paths.parsed("table", table), key);
    }
  }

  /**
   * A page of a table's entries. It ends earlier than its limit with the entry with which it has
   * {@link #PAGE_BYTES}, keys and values counted, also those that are content and not in the page.
   *
   * @param limit 1 to {@link #MAX_ENTRIES}
   */
  record Entries(StorePath table, KeyRange range, Listing.Direction direction, int limit)
      implements OfNames<TablePage> {
    /** The most entries of one page. */
    public static final int MAX_ENTRIES = 512;

    /** Where a page ends. */
    public static final int PAGE_BYTES = 32 << 10;

    /** Checks the limit. */
    public Entries {
      Objects.requireNonNull(table, "table");
      Objects.requireNonNull(range, "range");
      Objects.requireNonNull(direction, "direction");
      if (limit < 1 || limit > MAX_ENTRIES) {
        throw invalid("a page has 1 to %d entries, not %d".formatted(MAX_ENTRIES, limit));
      }
    }

    /** By the path as text. */
    public Entries(CharSequence table, KeyRange range, Listing.Direction direction, int limit) {
      this(Paths.parsed("table", table), range, direction, limit);
    }

    /** The look for the page behind a page of this, if that has more. */
    public Optional<Entries> next(TablePage page) {
      Objects.requireNonNull(page, "page");
      if (!page.hasMore() || page.entries().isEmpty()) {
        return Optional.empty();
      }
      byte[] last = page.entries().getLast().key();
      KeyRange rest =
          switch (direction) {
            case ASCENDING -> range.behind(last);
            case DESCENDING -> range.before(last);
          };
      return Optional.of(new Entries(table, rest, direction, limit));
    }
  }

  /** How many entries a table has: exact, at the same cost whatever their number. */
  record EntryCount(StorePath table) implements OfNames<Long> {
    /** Checks that nothing is missing. */
    public EntryCount {
      Objects.requireNonNull(table, "table");
    }

    /** By the path as text. */
    public EntryCount(CharSequence table) {
      this(Paths.parsed("table", table));
    }
  }

  /**
   * The whole content of a file of at most {@code UpcallReads.MAX_ARRAY_BYTES}: {@code TooLarge}
   * otherwise, and {@code Busy} where the heap has no room for it.
   */
  record ReadWhole(StorePath path) implements OfContent {
    /** Checks that nothing is missing. */
    public ReadWhole {
      Objects.requireNonNull(path, "path");
    }

    /** By the path as text. */
    public ReadWhole(CharSequence path) {
      this(Paths.parsed("path", path));
    }
  }

  /**
   * A range of a file's newest version; fewer bytes at the end or at a natural border, none at or
   * behind the end.
   *
   * @param offset from 0 on
   * @param maxBytes 0 to {@link #MAX_BYTES}
   */
  record ReadRange(StorePath path, long offset, int maxBytes) implements OfContent {
    /** The largest read of a range. */
    public static final int MAX_BYTES = 256 << 10;

    /** Checks the range. */
    public ReadRange {
      Objects.requireNonNull(path, "path");
      if (offset < 0) {
        throw invalid("offset %d of a read is negative".formatted(offset));
      }
      if (maxBytes < 0 || maxBytes > MAX_BYTES) {
        throw invalid("a read has 0 to %d bytes, not %d".formatted(MAX_BYTES, maxBytes));
      }
    }

    /** By the path as text. */
    public ReadRange(CharSequence path, long offset, int maxBytes) {
      this(Paths.parsed("path", path), offset, maxBytes);
    }
  }

  private static void check(Optional<Failure> refusal) {
    if (refusal.isPresent()) {
      throw UpcallException.of(refusal.get());
    }
  }

  private static UpcallException invalid(String why) {
    return UpcallException.of(new Failure.Invalid(why));
  }
}
