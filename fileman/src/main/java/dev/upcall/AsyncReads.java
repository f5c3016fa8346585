package dev.upcall;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.Texts;
import dev.upcall.request.Look;
import dev.upcall.request.Resolved;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Looking and reading, with a completion that comes later: by a program on a thread of its own, of
 * the present state ({@link AsyncFiles}), of one moment ({@link AsyncSnapshot}) or in a transaction
 * ({@link AsyncTransaction}), and on the store's thread ({@link FileReads}). Where a path is asked
 * for a text will do, and a {@link StorePath}, which needs no parsing; a text that is no path is
 * {@code Invalid}.
 */
public interface AsyncReads {
  /** The largest read. */
  int MAX_READ_BYTES = Look.ReadRange.MAX_BYTES;

  /** Asks; the methods below are this under names of their own. */
  <R> void ask(Look<R> look, CompletionPort<R> port);

  /** Finds what a path names. */
  default void stat(CharSequence path, LinkPolicy links, CompletionPort<FileInfo> port) {
    ask(() -> new Look.Stat(path, links), port);
  }

  /** Whether a path names something, symbolic links followed. */
  default void exists(CharSequence path, CompletionPort<Boolean> port) {
    ask(() -> new Look.Exists(path), port);
  }

  /**
   * Lists a directory by pages.
   *
   * @param afterName entries after this name only; it need not exist, and after the empty text come
   *     all
   * @param limit 1 to {@link Listing#MAX_ENTRIES}
   */
  default void list(
      CharSequence directory, String afterName, int limit, CompletionPort<Listing> port) {
    ask(() -> new Look.ListPage(directory, afterName, limit), port);
  }

  /** The first page of a directory. */
  default void list(CharSequence directory, int limit, CompletionPort<Listing> port) {
    list(directory, "", limit, port);
  }

  /**
   * The names of a directory's entries by pages, in either direction: several times faster than
   * {@link #list}, since nobody looks at what they lead to. Expired files are not among them.
   */
  default void names(
      CharSequence directory, Listing.Range range, CompletionPort<Listing.Names> port) {
    ask(() -> new Look.Names(directory, range), port);
  }

  /** Calls back for every entry of a directory, page by page, where completions come. */
  default void forEach(
      CharSequence directory, Consumer<? super FileInfo> action, CompletionPort<Unit> port) {
    Objects.requireNonNull(directory, "directory");
    Objects.requireNonNull(action, "action");
    Objects.requireNonNull(port, "port");
    at(directory, port, parsed -> eachBehind(parsed, "", action, port));
  }

  private void eachBehind(
      StorePath directory,
      String name,
      Consumer<? super FileInfo> action,
      CompletionPort<Unit> port) {
    list(
        directory,
        name,
        Listing.MAX_ENTRIES,
        port.then(
            page -> {
              page.entries().forEach(action);
              if (page.hasMore()) {
                eachBehind(directory, page.nextAfter().orElseThrow(), action, port);
              } else {
                port.complete(Completion.done());
              }
            }));
  }

  /** The target of a symbolic link, as it was given. Anything but a link is {@code Invalid}. */
  default void readLink(CharSequence path, CompletionPort<String> port) {
    ask(() -> new Look.ReadLink(path), port);
  }

  /**
   * Where a path leads, and over which places; of the failures above it has only {@code Corrupt},
   * {@code Device}, {@code Busy} and {@code Closed}.
   */
  default void resolve(CharSequence path, LinkPolicy links, CompletionPort<Resolved> port) {
    ask(() -> new Look.Resolve(path, links), port);
  }

  /** A property of the store, if it is set. */
  default void property(String name, CompletionPort<Optional<byte[]>> port) {
    ask(new Look.Property(name), port);
  }

  /**
   * Reads a range of a file's newest version into an array of its own: at most {@code maxBytes} (at
   * most {@link #MAX_READ_BYTES}); fewer at the end or at a natural border, none at or behind the
   * end. A negative offset, and a length that is negative or larger than that, are {@code Invalid}.
   */
  default void read(CharSequence path, long offset, int maxBytes, CompletionPort<byte[]> port) {
    ask(() -> new Look.ReadRange(path, offset, maxBytes), port);
  }

  /**
   * Opens one version of a file: later writes do not change what it reads. Must be closed, before
   * the store is.
   */
  void read(CharSequence path, CompletionPort<Content> port);

  /**
   * The whole content of a file of at most {@link UpcallReads#MAX_ARRAY_BYTES}, copied piece by
   * piece; {@code TooLarge} otherwise, and {@code Busy} where the heap has no room for it.
   */
  default void readAllBytes(CharSequence path, CompletionPort<byte[]> port) {
    ask(() -> new Look.ReadWhole(path), port);
  }

  /** As {@link #readAllBytes}: the whole content as text; {@code Invalid} if it is not UTF-8. */
  default void readString(CharSequence path, CompletionPort<String> port) {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(port, "port");
    readAllBytes(
        path,
        read ->
            port.complete(
                switch (read) {
                  case Completion.Done<byte[]>(byte[] bytes) -> Texts.decode(path, bytes);
                  case Completion.Failed<byte[]> failed -> failed.cast();
                }));
  }

  /**
   * Fails what is wrong before it can be asked, as if it had been: the completion comes where and
   * when others do, never inside the call.
   */
  <T> void refuse(Failure failure, CompletionPort<T> port);

  /**
   * A port for any thread, which completes it once: the given one is then completed where the
   * completions of these files come.
   */
  <T> CompletionPort<T> fromAnyThread(CompletionPort<T> port);

  /** Asks something of a path, at once; a text that is none is refused. */
  default <T> void at(CharSequence path, CompletionPort<T> port, Consumer<StorePath> request) {
    Objects.requireNonNull(port, "port");
    Objects.requireNonNull(request, "request");
    switch (StorePath.parse(path)) {
      case Completion.Done<StorePath>(StorePath parsed) -> request.accept(parsed);
      case Completion.Failed<StorePath>(Failure failure) -> refuse(failure, port);
    }
  }

  private <R> void ask(Supplier<? extends Look<R>> look, CompletionPort<R> port) {
    Objects.requireNonNull(port, "port");
    Look<R> made;
    try {
      made = look.get();
    } catch (UpcallException.Invalid invalid) {
      refuse(invalid.failure(), port);
      return;
    }
    ask(made, port);
  }

  /** One version of a file, opened for reading. Used where the one was that opened it. */
  interface Content {
    /** Metadata of the version. */
    FileInfo info();

    /** Reads a range of the version; otherwise as {@link AsyncReads#read}. */
    void read(long offset, int maxBytes, CompletionPort<byte[]> port);

    /** Lets go of the version; reads that are asked later get {@code Closed}. */
    void close(CompletionPort<Unit> port);
  }
}
