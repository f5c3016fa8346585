package dev.upcall;

import dev.upcall.content.Texts;
import dev.upcall.request.Look;
import dev.upcall.request.Resolved;
import java.nio.channels.SeekableByteChannel;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Everything that can be asked of files without changing them, by callers that wait: of the present
 * state ({@link Upcall}) or of one moment ({@link UpcallSnapshot}). Any threads; failures and waits
 * are as {@link Upcall} describes them.
 */
public interface UpcallReads {
  /** The most bytes of a file that are given as one array, at every door: what JVMs allow. */
  long MAX_ARRAY_BYTES = Integer.MAX_VALUE - 8;

  /** Asks; the methods below are this under names of their own. */
  <R> R ask(Look<R> look);

  /** What a path names, symbolic links followed. */
  default FileInfo stat(CharSequence path) {
    return stat(path, LinkPolicy.FOLLOW);
  }

  /** What a path names. */
  default FileInfo stat(CharSequence path, LinkPolicy links) {
    return ask(new Look.Stat(path, links));
  }

  /** Whether a path names something, symbolic links followed. */
  default boolean exists(CharSequence path) {
    return ask(new Look.Exists(path));
  }

  /**
   * The whole content of a file of at most {@link #MAX_ARRAY_BYTES}; {@code TooLarge} otherwise.
   */
  default byte[] readAllBytes(CharSequence path) {
    return ask(new Look.ReadWhole(path));
  }

  /**
   * A range of a file's newest version in an array of its own: at most {@code maxBytes} (at most
   * {@link Look.ReadRange#MAX_BYTES}); fewer at the end or at a natural border, none at or behind
   * the end.
   */
  default byte[] read(CharSequence path, long offset, int maxBytes) {
    return ask(new Look.ReadRange(path, offset, maxBytes));
  }

  /** As {@link #readAllBytes}: the whole content as text; {@code Invalid} if it is not UTF-8. */
  default String readString(CharSequence path) {
    return UpcallException.value(Texts.decode(path, readAllBytes(path)));
  }

  /**
   * Opens one version of a file as a stream: later writes do not change what it reads. Must be
   * closed. Used by one thread at a time.
   */
  Upcall.ReadStream read(CharSequence path);

  /**
   * Opens one version of a file as a channel of the JDK, which cannot be written; otherwise as
   * {@link #read}. Failures are {@link UpcallException}s, as everywhere.
   */
  SeekableByteChannel newByteChannel(CharSequence path);

  /** The first page of a directory. */
  default Listing list(CharSequence directory, int limit) {
    return list(directory, "", limit);
  }

  /** A page of a directory; see {@link FileManager#list}. */
  default Listing list(CharSequence directory, String afterName, int limit) {
    return ask(new Look.ListPage(directory, afterName, limit));
  }

  /** The names of a directory by pages; see {@link FileManager#names}. */
  default Listing.Names names(CharSequence directory, Listing.Range range) {
    return ask(new Look.Names(directory, range));
  }

  /**
   * The entries of a directory, in the order of {@link #list}, which is asked for a page when the
   * stream needs one: so a stream may begin with a directory of any size, and holds nothing open.
   */
  default Stream<FileInfo> stream(CharSequence directory) {
    return Stream.iterate(
            list(directory, Listing.MAX_ENTRIES),
            Objects::nonNull,
            page ->
                page.nextAfter()
                    .map(name -> list(directory, name, Listing.MAX_ENTRIES))
                    .orElse(null))
        .flatMap(page -> page.entries().stream());
  }

  /** Calls back for every entry of a directory, page by page. */
  default void forEach(CharSequence directory, Consumer<FileInfo> action) {
    Objects.requireNonNull(action, "action");
    Listing page = list(directory, Listing.MAX_ENTRIES);
    page.entries().forEach(action);
    while (page.hasMore()) {
      page = list(directory, page.nextAfter().orElseThrow(), Listing.MAX_ENTRIES);
      page.entries().forEach(action);
    }
  }

  /** The target of a symbolic link. */
  default String readLink(CharSequence path) {
    return ask(new Look.ReadLink(path));
  }

  /** Where a path leads, and over which places; where it leads nowhere, too. */
  default Resolved resolve(CharSequence path, LinkPolicy links) {
    return ask(new Look.Resolve(path, links));
  }

  /** A property of the store, if it is set. */
  default Optional<byte[]> property(String name) {
    return ask(new Look.Property(name));
  }
}
