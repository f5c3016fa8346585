package dev.upcall;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * What can be asked of names without changing them, with a completion that comes later: of the
 * present state, of one moment, or in a transaction. Where a path is asked for a text will do, and
 * a {@link StorePath}, which needs no parsing; a text that is no path is {@code Invalid}.
 */
public interface AsyncQueries {
  /** Finds what a path names. */
  void stat(CharSequence path, LinkPolicy links, CompletionPort<FileInfo> port);

  /**
   * Lists a directory by pages.
   *
   * @param afterName entries after this name only; it need not exist, and after the empty text come
   *     all
   * @param limit 1 to {@link Listing#MAX_ENTRIES}
   */
  void list(CharSequence directory, String afterName, int limit, CompletionPort<Listing> port);

  /** The first page of a directory. */
  default void list(CharSequence directory, int limit, CompletionPort<Listing> port) {
    list(directory, "", limit, port);
  }

  /**
   * The names of a directory's entries by pages, in either direction: several times faster than
   * {@link #list}, since nobody looks at what they lead to. What has expired is not among them.
   */
  void names(CharSequence directory, Listing.Range range, CompletionPort<Listing.Names> port);

  /** Whether a path names something, symbolic links followed. */
  default void exists(CharSequence path, CompletionPort<Boolean> port) {
    Objects.requireNonNull(port, "port");
    stat(
        path,
        LinkPolicy.FOLLOW,
        found ->
            port.complete(
                switch (found) {
                  case Completion.Done<FileInfo> _ -> Completion.done(true);
                  case Completion.Failed<FileInfo>(Failure.NotFound _) -> Completion.done(false);
                  case Completion.Failed<FileInfo>(Failure.NotADirectory _) ->
                      Completion.done(false);
                  case Completion.Failed<FileInfo> failed -> failed.cast();
                }));
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

  /** The target of a symbolic link, as it was given. What is no link is {@code Invalid}. */
  void readLink(CharSequence path, CompletionPort<String> port);

  /** A property of the store; {@code NotFound} when it is not set. */
  void property(String name, CompletionPort<byte[]> port);

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
}
