package dev.upcall.request;

import dev.upcall.BatchResult;
import dev.upcall.FileInfo;
import dev.upcall.FileOperation;
import dev.upcall.OpenMode;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.store.Durability;
import java.util.List;
import java.util.Objects;

/**
 * A request that changes files and leaves nothing open. Asked of the present state it is all or
 * nothing, and durable at the completion; asked in a transaction it becomes a part of that. Content
 * that it names is used up, whatever the outcome. A snapshot takes none.
 */
public sealed interface Change<R> extends Request<R>
    permits FileRequest, Change.Batch, Change.Write, Change.Edit {
  @Override
  default FileOperation operation() {
    return switch (this) {
      case FileRequest request -> request.operation();
      case Batch _ -> FileOperation.BATCH;
      case Write _ -> FileOperation.PUT_COMMIT;
      case Edit _ -> FileOperation.OPEN;
    };
  }

  @Override
  default List<StorePath> paths() {
    return switch (this) {
      case FileRequest request -> request.paths();
      case Batch batch ->
          batch.requests().stream().flatMap(request -> request.paths().stream()).toList();
      case Write write -> List.of(write.path());
      case Edit edit -> List.of(edit.path());
    };
  }

  @Override
  default String purpose() {
    return switch (this) {
      case FileRequest request -> request.purpose();
      case Batch batch -> "batch of " + batch.requests().size();
      case Write write -> "write " + write.path();
      case WriteAt edit -> "write a range of " + edit.path();
      case Append edit -> "append to " + edit.path();
      case Truncate edit -> "truncate " + edit.path();
      case SpliceAt edit -> "splice " + edit.path();
    };
  }

  /**
   * Many requests as one: all or nothing, later ones see what earlier ones did. A batch has at most
   * {@code FileManagerConfig.maxBatchRequests} requests and fits an eighth of the log, else {@code
   * TooLarge}.
   *
   * @param durability whether the completion waits for the disk; a part of a transaction waits with
   *     that
   */
  record Batch(List<FileRequest> requests, Durability durability) implements Change<BatchResult> {
    /** Copies the list. */
    public Batch {
      requests = copy(requests);
      Objects.requireNonNull(durability, "durability");
    }

    /** Durable at the completion. */
    public Batch(List<FileRequest> requests) {
      this(requests, Durability.SYNC);
    }

    /** A caller's list, before anybody else sees it: a copy, in which nothing is missing. */
    public static List<FileRequest> copy(List<FileRequest> requests) {
      Objects.requireNonNull(requests, "requests");
      for (FileRequest request : requests) {
        Objects.requireNonNull(request, "one of requests");
      }
      return List.copyOf(requests);
    }
  }

  /**
   * Makes or replaces a whole file, of any size.
   *
   * @param content must not be changed before the completion
   */
  record Write(StorePath path, byte[] content, PutOptions options) implements Change<FileInfo> {
    /** The largest that is one request of the log; more comes as a put brings it. */
    public static final int SMALL_BYTES = 64 << 10;

    /** Checks that nothing is missing. */
    public Write {
      Objects.requireNonNull(path, "path");
      Objects.requireNonNull(content, "content");
      Objects.requireNonNull(options, "options");
    }

    /** By the path as text. */
    public Write(CharSequence path, byte[] content, PutOptions options) {
      this(Paths.parsed("path", path), content, options);
    }

    /** Whether it is small enough to be a {@link FileRequest.Put} with its bytes. */
    public boolean isSmall() {
      return content.length <= SMALL_BYTES;
    }
  }

  /**
   * A change of a range, as through a handle that is opened for it and closed. Gives the file as it
   * is then, to a transaction as that sees it.
   */
  sealed interface Edit extends Change<FileInfo> {
    /** The file. */
    StorePath path();

    /** How it is opened. */
    OpenMode mode();
  }

  /**
   * Writes a range. A write behind the end leaves a hole that reads as zeros.
   *
   * @param bytes must not be changed before the completion
   */
  record WriteAt(StorePath path, OpenMode mode, long offset, byte[] bytes) implements Edit {
    /** Checks that nothing is missing. */
    public WriteAt {
      Objects.requireNonNull(path, "path");
      Objects.requireNonNull(mode, "mode");
      Objects.requireNonNull(bytes, "bytes");
    }

    /** By the path as text. */
    public WriteAt(CharSequence path, OpenMode mode, long offset, byte[] bytes) {
      this(Paths.parsed("path", path), mode, offset, bytes);
    }
  }

  /**
   * Writes at the end.
   *
   * @param bytes must not be changed before the completion
   */
  record Append(StorePath path, OpenMode mode, byte[] bytes) implements Edit {
    /** Checks that nothing is missing. */
    public Append {
      Objects.requireNonNull(path, "path");
      Objects.requireNonNull(mode, "mode");
      Objects.requireNonNull(bytes, "bytes");
    }

    /** By the path as text. */
    public Append(CharSequence path, OpenMode mode, byte[] bytes) {
      this(Paths.parsed("path", path), mode, bytes);
    }
  }

  /** Sets the size; what is behind the old end reads as zeros. */
  record Truncate(StorePath path, OpenMode mode, long sizeBytes) implements Edit {
    /** Checks that nothing is missing. */
    public Truncate {
      Objects.requireNonNull(path, "path");
      Objects.requireNonNull(mode, "mode");
    }

    /** By the path as text. */
    public Truncate(CharSequence path, OpenMode mode, long sizeBytes) {
      this(Paths.parsed("path", path), mode, sizeBytes);
    }
  }

  /**
   * Puts bytes in the place of a range, and what lies behind moves ({@code FileHandle.splice}).
   *
   * @param bytes must not be changed before the completion
   */
  record SpliceAt(StorePath path, OpenMode mode, long offset, long removed, byte[] bytes)
      implements Edit {
    /** Checks that nothing is missing. */
    public SpliceAt {
      Objects.requireNonNull(path, "path");
      Objects.requireNonNull(mode, "mode");
      Objects.requireNonNull(bytes, "bytes");
    }

    /** By the path as text. */
    public SpliceAt(CharSequence path, OpenMode mode, long offset, long removed, byte[] bytes) {
      this(Paths.parsed("path", path), mode, offset, removed, bytes);
    }
  }
}
