package dev.upcall;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.Texts;
import dev.upcall.request.Change;
import dev.upcall.request.FileRequest;
import dev.upcall.store.Durability;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The changes that are a {@link FileRequest}, with a completion that comes later: each at once and
 * durably, or as a part of a transaction. All of them are {@link #change} under a name of their
 * own; those that make, move or change something give what that is now.
 */
public interface AsyncChanges extends AsyncReads {
  /** Asks; the methods below are this under names of their own. */
  <R> void ask(Change<R> change, CompletionPort<R> port);

  /**
   * Does one request, all or nothing; what it made, moved or changed, if anything. Content that it
   * names is used up, whatever the outcome.
   */
  default void change(FileRequest request, CompletionPort<Optional<FileInfo>> port) {
    ask(Objects.requireNonNull(request, "request"), port);
  }

  /** All requests as one: all or nothing, later ones see what earlier ones did. */
  default void batch(List<FileRequest> requests, CompletionPort<BatchResult> port) {
    ask(new Change.Batch(requests), port);
  }

  /** As {@link #write(CharSequence, byte[], PutOptions, CompletionPort)}, as it usually is. */
  default void write(CharSequence path, byte[] content, CompletionPort<FileInfo> port) {
    write(path, content, PutOptions.DEFAULT, port);
  }

  /**
   * Makes or replaces a whole file; many bytes (over 64 KiB) as a put brings them. They must not be
   * changed before the completion.
   */
  default void write(
      CharSequence path, byte[] content, PutOptions options, CompletionPort<FileInfo> port) {
    edit(() -> new Change.Write(path, content, options), port);
  }

  /** As {@link #write(CharSequence, byte[], CompletionPort)}: text, in UTF-8. */
  default void writeString(CharSequence path, CharSequence text, CompletionPort<FileInfo> port) {
    writeString(path, text, PutOptions.DEFAULT, port);
  }

  /** As {@link #write(CharSequence, byte[], PutOptions, CompletionPort)}: text, in UTF-8. */
  default void writeString(
      CharSequence path, CharSequence text, PutOptions options, CompletionPort<FileInfo> port) {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(options, "options");
    Objects.requireNonNull(port, "port");
    switch (Texts.encode(path, text)) {
      case Completion.Done<byte[]>(byte[] content) -> write(path, content, options, port);
      case Completion.Failed<byte[]>(Failure noText) -> refuse(noText, port);
    }
  }

  /**
   * Writes a range of a file, as a {@link FileHandle} that is opened for it and closed. A write
   * behind the end leaves a hole that reads as zeros. Gives the file as it is then, to a
   * transaction as that sees it.
   *
   * @param bytes must not be changed before the completion
   */
  default void write(
      CharSequence path, OpenMode mode, long offset, byte[] bytes, CompletionPort<FileInfo> port) {
    edit(() -> new Change.WriteAt(path, mode, offset, bytes), port);
  }

  /** As {@link #write(CharSequence, OpenMode, long, byte[], CompletionPort)}, at the end. */
  default void append(
      CharSequence path, OpenMode mode, byte[] bytes, CompletionPort<FileInfo> port) {
    edit(() -> new Change.Append(path, mode, bytes), port);
  }

  /** Adds to the end of a file, which is made when it is not there. */
  default void append(CharSequence path, byte[] bytes, CompletionPort<FileInfo> port) {
    append(path, OpenMode.CREATE, bytes, port);
  }

  /** Sets a file's size; what is behind the old end reads as zeros. */
  default void truncate(
      CharSequence path, OpenMode mode, long sizeBytes, CompletionPort<FileInfo> port) {
    edit(() -> new Change.Truncate(path, mode, sizeBytes), port);
  }

  /** Sets the size of a file that is there; what is behind the old end reads as zeros. */
  default void truncate(CharSequence path, long sizeBytes, CompletionPort<FileInfo> port) {
    truncate(path, OpenMode.EXISTING, sizeBytes, port);
  }

  /**
   * As {@link #write(CharSequence, OpenMode, long, byte[], CompletionPort)}: the bytes come in the
   * place of a range, and what lies behind moves ({@link FileHandle#splice}).
   */
  default void splice(
      CharSequence path,
      OpenMode mode,
      AsyncTransaction.Splice splice,
      CompletionPort<FileInfo> port) {
    Objects.requireNonNull(splice, "splice");
    edit(
        () -> new Change.SpliceAt(path, mode, splice.offset(), splice.removed(), splice.bytes()),
        port);
  }

  /** {@link FileRequest.CreateDirectory} below one that is there. */
  default void createDirectory(CharSequence path, CompletionPort<FileInfo> port) {
    one(() -> new FileRequest.CreateDirectory(path), port);
  }

  /** {@link FileRequest.CreateDirectory} with all that are missing on the way. */
  default void createDirectories(CharSequence path, CompletionPort<FileInfo> port) {
    one(() -> new FileRequest.CreateDirectory(path, Parents.MAKE, MetadataChange.NONE), port);
  }

  /** {@link FileRequest.SymbolicLink}. */
  default void symbolicLink(CharSequence path, String target, CompletionPort<FileInfo> port) {
    one(() -> new FileRequest.SymbolicLink(path, target, MetadataChange.NONE), port);
  }

  /** {@link FileRequest.Delete} of any version. */
  default void delete(CharSequence path, CompletionPort<Unit> port) {
    delete(path, FileCondition.NONE, port);
  }

  /** {@link FileRequest.Delete}. */
  default void delete(CharSequence path, FileCondition condition, CompletionPort<Unit> port) {
    none(() -> new FileRequest.Delete(path, condition), port);
  }

  /** {@link FileRequest.DeleteTree} of any version. */
  default void deleteTree(CharSequence path, CompletionPort<Unit> port) {
    deleteTree(path, FileCondition.NONE, port);
  }

  /** {@link FileRequest.DeleteTree}. */
  default void deleteTree(CharSequence path, FileCondition condition, CompletionPort<Unit> port) {
    none(() -> new FileRequest.DeleteTree(path, condition), port);
  }

  /** {@link FileRequest.Rename} to a name that is free. */
  default void rename(CharSequence from, CharSequence to, CompletionPort<FileInfo> port) {
    rename(from, to, Existence.MUST_NOT_EXIST, port);
  }

  /** {@link FileRequest.Rename} by what may be there. */
  default void rename(
      CharSequence from, CharSequence to, Existence target, CompletionPort<FileInfo> port) {
    rename(from, to, FileCondition.of(Objects.requireNonNull(target, "target")), port);
  }

  /** {@link FileRequest.Rename}. */
  default void rename(
      CharSequence from, CharSequence to, FileCondition target, CompletionPort<FileInfo> port) {
    one(() -> new FileRequest.Rename(from, to, target), port);
  }

  /** {@link FileRequest.Clone} to a name that is free. */
  default void cloneFile(CharSequence from, CharSequence to, CompletionPort<FileInfo> port) {
    cloneFile(from, to, Existence.MUST_NOT_EXIST, port);
  }

  /** {@link FileRequest.Clone} by what may be there. */
  default void cloneFile(
      CharSequence from, CharSequence to, Existence target, CompletionPort<FileInfo> port) {
    cloneFile(from, to, FileCondition.of(Objects.requireNonNull(target, "target")), port);
  }

  /** {@link FileRequest.Clone}. */
  default void cloneFile(
      CharSequence from, CharSequence to, FileCondition target, CompletionPort<FileInfo> port) {
    one(() -> new FileRequest.Clone(from, to, target), port);
  }

  /** {@link FileRequest.Splice} of any version. */
  default void splice(
      CharSequence path, long offset, long removed, byte[] bytes, CompletionPort<FileInfo> port) {
    splice(path, offset, removed, bytes, FileCondition.NONE, port);
  }

  /** {@link FileRequest.Splice}. */
  default void splice(
      CharSequence path,
      long offset,
      long removed,
      byte[] bytes,
      FileCondition condition,
      CompletionPort<FileInfo> port) {
    one(() -> new FileRequest.Splice(path, offset, removed, bytes, condition), port);
  }

  /** {@link FileRequest.Splice} that takes nothing away. */
  default void insert(CharSequence path, long offset, byte[] bytes, CompletionPort<FileInfo> port) {
    splice(path, offset, 0, bytes, port);
  }

  /** {@link FileRequest.Splice} that brings nothing. */
  default void cut(
      CharSequence path, long offset, long lengthBytes, CompletionPort<FileInfo> port) {
    splice(path, offset, lengthBytes, new byte[0], port);
  }

  /** {@link FileRequest.CopyRange} into any version. */
  default void copyRange(
      FileRequest.Range from,
      CharSequence to,
      long offset,
      FileRequest.Placing placing,
      CompletionPort<FileInfo> port) {
    copyRange(from, to, offset, placing, FileCondition.NONE, port);
  }

  /** {@link FileRequest.CopyRange}. */
  default void copyRange(
      FileRequest.Range from,
      CharSequence to,
      long offset,
      FileRequest.Placing placing,
      FileCondition target,
      CompletionPort<FileInfo> port) {
    one(() -> new FileRequest.CopyRange(from, to, offset, placing, target), port);
  }

  /** {@link FileRequest.SetMetadata} of any version. */
  default void setMetadata(
      CharSequence path, LinkPolicy links, MetadataChange change, CompletionPort<FileInfo> port) {
    setMetadata(path, links, change, FileCondition.NONE, port);
  }

  /** {@link FileRequest.SetMetadata}. */
  default void setMetadata(
      CharSequence path,
      LinkPolicy links,
      MetadataChange change,
      FileCondition condition,
      CompletionPort<FileInfo> port) {
    one(() -> new FileRequest.SetMetadata(path, links, change, condition), port);
  }

  /** {@link FileRequest.SetMetadata} of when a file is gone by itself. */
  default void setExpiry(CharSequence path, Expiry expiry, CompletionPort<FileInfo> port) {
    Objects.requireNonNull(expiry, "expiry");
    setMetadata(path, LinkPolicy.FOLLOW, MetadataChange.NONE.withExpiry(expiry), port);
  }

  /** {@link FileRequest.SetProperty}. */
  default void setProperty(String name, byte[] value, CompletionPort<Unit> port) {
    none(() -> new FileRequest.SetProperty(name, value), port);
  }

  /** {@link FileRequest.RemoveProperty}. */
  default void removeProperty(String name, CompletionPort<Unit> port) {
    none(() -> new FileRequest.RemoveProperty(name), port);
  }

  /** Asks what leaves one thing. */
  private void one(Supplier<FileRequest> request, CompletionPort<FileInfo> port) {
    ask(request, Optional::orElseThrow, port);
  }

  /** Asks what leaves nothing. */
  private void none(Supplier<FileRequest> request, CompletionPort<Unit> port) {
    ask(request, _ -> Unit.UNIT, port);
  }

  private void edit(Supplier<Change<FileInfo>> change, CompletionPort<FileInfo> port) {
    ask(change, file -> file, port);
  }

  private <S, T> void ask(
      Supplier<? extends Change<S>> change, Function<S, T> result, CompletionPort<T> port) {
    Objects.requireNonNull(port, "port");
    Change<S> made;
    try {
      made = change.get();
    } catch (UpcallException.Invalid invalid) {
      refuse(invalid.failure(), port);
      return;
    }
    ask(made, completion -> port.complete(completion.map(result)));
  }

  /**
   * Changes with contents, by a program on a thread of its own: each at once and durably ({@link
   * AsyncFiles}), or as a part of a transaction ({@link AsyncTransaction}).
   */
  interface Contents extends AsyncChanges {
    /**
     * Begins to make or replace a whole file of any size. Nothing is seen of it before {@link
     * Put#commit}; must be committed or abandoned.
     */
    void put(CharSequence path, PutOptions options, CompletionPort<Put> port);

    /** Opens for reading and writing ranges; see {@link FileChanges#open}. */
    void open(CharSequence path, OpenMode mode, CompletionPort<Handle> port);
  }

  /**
   * A {@link PutHandle} for a program on a thread of its own; completions come where it polls. One
   * request at a time. What is neither committed nor abandoned stays open with the store.
   */
  interface Put {
    /**
     * Appends a buffer's remaining bytes; completes when more is welcome. The buffer is the store's
     * until then. After a failure only {@link #abandon} is left.
     */
    void append(ByteBuffer bytes, CompletionPort<Unit> port);

    /** Makes the file visible and durable; in a transaction, makes it a part of that. */
    default void commit(CompletionPort<FileInfo> port) {
      commit(Durability.SYNC, port);
    }

    /** As {@link #commit(CompletionPort)}; with {@code ASYNC} it may complete before that. */
    void commit(Durability durability, CompletionPort<FileInfo> port);

    /** Gives up; harmless after {@link #commit}. */
    void abandon(CompletionPort<Unit> port);
  }

  /**
   * A {@link FileHandle} for a program on a thread of its own; completions come where it polls. One
   * writing request at a time, reads at any time. Must be closed or abandoned, or stays open with
   * the store. Buffers are the store's until the completion.
   */
  interface Handle {
    /** Metadata as of the last commit through this handle or its opening. */
    void info(CompletionPort<FileInfo> port);

    /** Content bytes including what is collected. */
    void sizeBytes(CompletionPort<Long> port);

    /** Reads committed bytes as {@link AsyncReads#read} does. */
    void read(long offset, int maxBytes, CompletionPort<byte[]> port);

    /** Collects a write. The first one since a flush may wait for its place. */
    void write(long offset, ByteBuffer from, CompletionPort<Unit> port);

    /** Collects a write at the end. */
    void append(ByteBuffer from, CompletionPort<Unit> port);

    /** Collects a change of the size. */
    void truncate(long sizeBytes, CompletionPort<Unit> port);

    /** Collects an edit; see {@link FileHandle#splice}. */
    void splice(long offset, long removed, ByteBuffer from, CompletionPort<Unit> port);

    /** Collects a copy of a range; see {@link FileHandle#gather}. */
    void gather(long offset, long lengthBytes, CompletionPort<Unit> port);

    /** Commits what is collected: durable at the completion, or a part of the transaction. */
    void flush(CompletionPort<Unit> port);

    /** Gives up what is collected and closes. */
    void abandon(CompletionPort<Unit> port);

    /** Flushes and closes, whatever comes of the flush: what it could not commit is given up. */
    void close(CompletionPort<Unit> port);
  }
}
