package dev.upcall.stage;

import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.Consumer;

/**
 * Everything that can be asked of files without changing them: of the present state ({@link
 * StageFiles}), of one moment ({@link StageSnapshot}), or in a transaction ({@link
 * StageTransaction}). Threads, failures, cancellation and deadlines are as {@link StageFiles}
 * describes them.
 */
public interface StageReads {
  /** The largest read of a range. */
  int MAX_READ_BYTES = 256 << 10;

  /** What a path names, symbolic links followed. */
  default CompletionStage<FileInfo> stat(CharSequence path) {
    return stat(path, LinkPolicy.FOLLOW);
  }

  /** What a path names. */
  CompletionStage<FileInfo> stat(CharSequence path, LinkPolicy links);

  /** Whether a path names something, symbolic links followed. */
  CompletionStage<Boolean> exists(CharSequence path);

  /**
   * The whole content of a file of at most {@link dev.upcall.UpcallReads#MAX_ARRAY_BYTES}; {@code
   * TooLarge} otherwise.
   */
  CompletionStage<byte[]> readAllBytes(CharSequence path);

  /** As {@link #readAllBytes}: the whole content as text; {@code Invalid} if it is not UTF-8. */
  CompletionStage<String> readString(CharSequence path);

  /**
   * A range of a file's newest version in an array of its own: at most {@code maxBytes} (at most
   * {@link #MAX_READ_BYTES}); fewer at the end or at a natural border, none at or behind the end. A
   * negative offset, and a length that is negative or larger than that, are {@code Invalid}.
   */
  CompletionStage<byte[]> read(CharSequence path, long offset, int maxBytes);

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
  CompletionStage<Listing> list(CharSequence directory, String afterName, int limit);

  /** The first page of a directory. */
  default CompletionStage<Listing> list(CharSequence directory, int limit) {
    return list(directory, "", limit);
  }

  /** The names of a directory by pages; see {@link dev.upcall.FileManager#names}. */
  CompletionStage<Listing.Names> names(CharSequence directory, Listing.Range range);

  /**
   * Calls back for every entry of a directory, page by page, where stages complete; what the action
   * throws ends it and is the failure of the stage.
   */
  CompletionStage<Void> forEach(CharSequence directory, Consumer<? super FileInfo> action);

  /** The target of a symbolic link. */
  CompletionStage<String> readLink(CharSequence path);

  /** A property of the store, if it is set. */
  CompletionStage<Optional<byte[]>> property(String name);
}
