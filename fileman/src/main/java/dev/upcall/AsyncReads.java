package dev.upcall;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.content.Texts;
import java.util.Objects;

/**
 * Looking and reading, with a completion that comes later: by a program on a thread of its own, of
 * the present state ({@link AsyncFiles}), of one moment ({@link AsyncSnapshot}) or in a transaction
 * ({@link AsyncTransaction}), and on the store's thread ({@link FileReads}).
 */
public interface AsyncReads extends AsyncQueries {
  /** The largest read. */
  int MAX_READ_BYTES = 256 << 10;

  /**
   * Reads a range of a file's newest version into an array of its own: at most {@code maxBytes} (at
   * most {@link #MAX_READ_BYTES}); fewer at the end or at a natural border, none at or behind the
   * end. A negative offset, and a length that is negative or larger than that, are {@code Invalid}.
   */
  void read(CharSequence path, long offset, int maxBytes, CompletionPort<byte[]> port);

  /**
   * Opens one version of a file: later writes do not change what it reads. Must be closed, before
   * the store is.
   */
  void read(CharSequence path, CompletionPort<Content> port);

  /**
   * The whole content of a file of at most {@link UpcallReads#MAX_ARRAY_BYTES}, copied piece by
   * piece; {@code TooLarge} otherwise, and {@code Busy} where the heap has no room for it.
   */
  void readAllBytes(CharSequence path, CompletionPort<byte[]> port);

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
