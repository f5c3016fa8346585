package dev.upcall.table;

import dev.upcall.BatchResult;
import dev.upcall.FileInfo;
import dev.upcall.Listing;
import dev.upcall.Parents;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallChanges;
import dev.upcall.UpcallException;
import dev.upcall.UpcallReads;
import dev.upcall.UpcallSnapshot;
import dev.upcall.UpcallTransaction;
import dev.upcall.completion.Failure;
import dev.upcall.request.Change;
import dev.upcall.request.Expect;
import dev.upcall.request.FileRequest;
import dev.upcall.request.KeyRange;
import dev.upcall.request.Look;
import dev.upcall.request.TablePage;
import dev.upcall.request.TableRequest;
import dev.upcall.store.Durability;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where a table is looked at and changed: the present state, a transaction or a snapshot. */
final class Access {
  private final UpcallReads reads;
  private final @Nullable UpcallChanges changes;
  private final Durability durability;

  private Access(UpcallReads reads, @Nullable UpcallChanges changes, Durability durability) {
    this.reads = reads;
    this.changes = changes;
    this.durability = durability;
  }

  /** The present state. */
  static Access of(Upcall store, Durability durability) {
    Objects.requireNonNull(store, "store");
    Objects.requireNonNull(durability, "durability");
    return new Access(store, store, durability);
  }

  /** A transaction's. */
  static Access of(UpcallTransaction transaction) {
    Objects.requireNonNull(transaction, "transaction");
    return new Access(transaction, transaction, Durability.SYNC);
  }

  /** A moment, in which nothing is changed. */
  static Access of(UpcallSnapshot snapshot) {
    Objects.requireNonNull(snapshot, "snapshot");
    return new Access(snapshot, /* changes= */ null, Durability.SYNC);
  }

  /**
   * Finds a table, or makes it with the directories on the way.
   *
   * @param method what its keys are
   * @throws UpcallException {@code IsADirectory}, and {@code Invalid} for anything else that is no
   *     table of that method
   */
  static StorePath open(Upcall store, CharSequence path, TableMethod method) {
    StorePath parsed = UpcallException.value(StorePath.parse(Objects.requireNonNull(path, "path")));
    FileInfo found;
    try {
      found = store.stat(parsed);
    } catch (UpcallException.NotFound none) {
      found = store.ask(create(parsed, method, Parents.MAKE)).orElseThrow();
    }
    check(parsed, found, method);
    return parsed;
  }

  /** Makes a table. */
  static TableRequest.CreateTable create(StorePath path, TableMethod method, Parents parents) {
    return new TableRequest.CreateTable(path, parents, method.metadata());
  }

  private static void check(StorePath path, FileInfo found, TableMethod method) {
    TableMethod is = TableMethod.of(path, found);
    if (is != method) {
      throw UpcallException.of(
          new Failure.Invalid(
              "%s is a table of method %s, not %s; open it as that"
                  .formatted(path, is.word(), method.word())));
    }
  }

  <R> R ask(Look<R> look) {
    return reads.ask(look);
  }

  /** Entries by pages, which are asked for when the stream needs them. */
  Stream<TablePage.Entry> scan(StorePath table, KeyRange range, Listing.Direction direction) {
    Look.Entries look = new Look.Entries(table, range, direction, Look.Entries.MAX_ENTRIES);
    return Stream.iterate(Page.of(this, look), Objects::nonNull, page -> page.next(this))
        .flatMap(page -> page.answer().entries().stream());
  }

  /** A look and its answer. */
  private record Page(Look.Entries look, TablePage answer) {
    static Page of(Access access, Look.Entries look) {
      return new Page(look, access.ask(look));
    }

    @Nullable Page next(Access access) {
      return look.next(answer).map(next -> of(access, next)).orElse(null);
    }
  }

  BatchResult change(List<FileRequest> requests) {
    return changes().ask(new Change.Batch(requests, durability));
  }

  void change(FileRequest request) {
    change(List.of(request));
  }

  /** Puts a value of any size that is given as bytes. */
  void put(StorePath table, byte[] key, byte[] value, Expect expect) {
    FileRequest request = TableRequest.put(table, key, value, expect);
    if (request instanceof FileRequest.Put put && value.length > Change.Write.SMALL_BYTES) {
      // More than a batch may bring: as streams do.
      changes().ask(new Change.Write(put.path(), value, put.options()));
    } else {
      change(request);
    }
  }

  /** Puts a value that is read from a stream to its end. */
  void put(StorePath value, InputStream content) {
    changes().write(value, content, PutOptions.DEFAULT);
  }

  /** The value of an entry, if there is one. */
  Optional<byte[]> value(StorePath table, byte[] key) {
    try {
      return ask(new Look.Entry(table, key));
    } catch (UpcallException.TooLarge isContent) {
      return content(table, key);
    }
  }

  /** The same where it was content a moment ago; it may be something else by now, or gone. */
  Optional<byte[]> content(StorePath table, byte[] key) {
    return ifThere(table, () -> reads.readAllBytes(table.entry(key)));
  }

  /** The part of a value that is read, if there is one. */
  <T> Optional<T> ifThere(StorePath table, Supplier<T> read) {
    try {
      return Optional.of(read.get());
    } catch (UpcallException.NotFound none) {
      ask(new Look.EntryCount(table)); // fails as this did if it is the table that is not there
      return Optional.empty();
    }
  }

  UpcallReads reads() {
    return reads;
  }

  private UpcallChanges changes() {
    if (changes == null) {
      throw UpcallException.of(
          new Failure.ReadOnly("a snapshot is not changed; change the table of the store"));
    }
    return changes;
  }
}
