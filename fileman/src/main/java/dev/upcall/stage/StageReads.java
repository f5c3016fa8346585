package dev.upcall.stage;

import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.UpcallException;
import dev.upcall.content.Texts;
import dev.upcall.request.Look;
import dev.upcall.request.Resolved;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Everything that can be asked of files without changing them: of the present state ({@link
 * StageFiles}), of one moment ({@link StageSnapshot}), or in a transaction ({@link
 * StageTransaction}). Threads, failures, cancellation and deadlines are as {@link StageFiles}
 * describes them.
 */
public interface StageReads {
  /** The largest read of a range. */
  int MAX_READ_BYTES = Look.ReadRange.MAX_BYTES;

  /** Asks; the methods below are this under names of their own. */
  default <R> CompletionStage<R> ask(Look<R> look) {
    return ask(look, answer -> answer);
  }

  /** Asks; the stage has what a function makes of the answer, where stages complete. */
  <S, T> CompletionStage<T> ask(Look<S> look, Function<? super S, ? extends T> result);

  /** What a path names, symbolic links followed. */
  default CompletionStage<FileInfo> stat(CharSequence path) {
    return stat(path, LinkPolicy.FOLLOW);
  }

  /** What a path names. */
  default CompletionStage<FileInfo> stat(CharSequence path, LinkPolicy links) {
    return ask(() -> new Look.Stat(path, links));
  }

  /** Whether a path names something, symbolic links followed. */
  default CompletionStage<Boolean> exists(CharSequence path) {
    return ask(() -> new Look.Exists(path));
  }

  /**
   * The whole content of a file of at most {@link dev.upcall.UpcallReads#MAX_ARRAY_BYTES}; {@code
   * TooLarge} otherwise.
   */
  default CompletionStage<byte[]> readAllBytes(CharSequence path) {
    return ask(() -> new Look.ReadWhole(path));
  }

  /** As {@link #readAllBytes}: the whole content as text; {@code Invalid} if it is not UTF-8. */
  default CompletionStage<String> readString(CharSequence path) {
    return ask(
        () -> new Look.ReadWhole(path), bytes -> UpcallException.value(Texts.decode(path, bytes)));
  }

  /**
   * A range of a file's newest version in an array of its own: at most {@code maxBytes} (at most
   * {@link #MAX_READ_BYTES}); fewer at the end or at a natural border, none at or behind the end. A
   * negative offset, and a length that is negative or larger than that, are {@code Invalid}.
   */
  default CompletionStage<byte[]> read(CharSequence path, long offset, int maxBytes) {
    return ask(() -> new Look.ReadRange(path, offset, maxBytes));
  }

  /** Opens one version of a file: later writes do not change what it reads. Must be closed. */
  CompletionStage<StageContent> read(CharSequence path);

  /**
   * The content of a file for any number of subscribers: each gets the version that is newest when
   * it subscribes, from its beginning to its end, in pieces of at most 64 KiB that are its own, as
   * many as it has requested. The version is held until the last piece, an error or {@code cancel}.
   * What fails comes as {@code onError} with an {@link dev.upcall.UpcallException}. A deadline
   * ({@link StageFiles#within}) is that of each piece.
   */
  Flow.Publisher<ByteBuffer> publish(CharSequence path);

  /**
   * A page of a directory; see {@link dev.upcall.FileManager#list}.
   *
   * @param afterName entries after this name only; it need not exist, and after the empty text come
   *     all
   * @param limit 1 to {@link Listing#MAX_ENTRIES}
   */
  default CompletionStage<Listing> list(CharSequence directory, String afterName, int limit) {
    return ask(() -> new Look.ListPage(directory, afterName, limit));
  }

  /** The first page of a directory. */
  default CompletionStage<Listing> list(CharSequence directory, int limit) {
    return list(directory, "", limit);
  }

  /** The names of a directory by pages; see {@link dev.upcall.FileManager#names}. */
  default CompletionStage<Listing.Names> names(CharSequence directory, Listing.Range range) {
    return ask(() -> new Look.Names(directory, range));
  }

  /**
   * Calls back for every entry of a directory, page by page, where stages complete; what the action
   * throws ends it and is the failure of the stage.
   */
  CompletionStage<Void> forEach(CharSequence directory, Consumer<? super FileInfo> action);

  /** The target of a symbolic link. */
  default CompletionStage<String> readLink(CharSequence path) {
    return ask(() -> new Look.ReadLink(path));
  }

  /** Where a path leads, and over which places; where it leads nowhere, too. */
  default CompletionStage<Resolved> resolve(CharSequence path, LinkPolicy links) {
    return ask(() -> new Look.Resolve(path, links));
  }

  /** A property of the store, if it is set. */
  default CompletionStage<Optional<byte[]>> property(String name) {
    return ask(new Look.Property(name));
  }

  private <R> CompletionStage<R> ask(Supplier<? extends Look<R>> look) {
    return ask(look, answer -> answer);
  }

  private <S, T> CompletionStage<T> ask(
      Supplier<? extends Look<S>> look, Function<? super S, ? extends T> result) {
    Look<S> made;
    try {
      made = look.get();
    } catch (UpcallException.Invalid invalid) {
      return CompletableFuture.failedFuture(invalid);
    }
    return ask(made, result);
  }
}
