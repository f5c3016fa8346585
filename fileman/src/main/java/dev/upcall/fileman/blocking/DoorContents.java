package dev.upcall.fileman.blocking;

import dev.upcall.AsyncChanges;
import dev.upcall.AsyncTransaction;
import dev.upcall.FileChanges;
import dev.upcall.FileHandle;
import dev.upcall.FileInfo;
import dev.upcall.OpenMode;
import dev.upcall.PutHandle;
import dev.upcall.PutOptions;
import dev.upcall.completion.CompletionPort;
import dev.upcall.txn.PublishedReads;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Changes with contents through a door. */
abstract class DoorContents extends DoorReads implements AsyncChanges.Contents {
  private final FileChanges files;

  DoorContents(
      FileChanges files,
      AsyncDoor door,
      Set<Runnable> openReads,
      @Nullable PublishedReads published) {
    super(files, door, openReads, published);
    this.files = files;
  }

  @Override
  public final void put(
      CharSequence path, PutOptions options, CompletionPort<AsyncChanges.Put> port) {
    Objects.requireNonNull(options, "options");
    at(
        path,
        port,
        parsed ->
            this.<PutHandle>request(
                inner -> files.put(parsed, options, inner),
                begun -> port.complete(begun.map(handle -> new PortPut(this, handle)))));
  }

  @Override
  public final void open(
      CharSequence path, OpenMode mode, CompletionPort<AsyncChanges.Handle> port) {
    Objects.requireNonNull(mode, "mode");
    at(
        path,
        port,
        parsed ->
            this.<FileHandle>request(
                inner -> files.open(parsed, mode, inner),
                opened -> port.complete(opened.map(handle -> new PortHandle(this, handle)))));
  }

  // ------------------------------------------------------------------ whole files

  @Override
  public final void write(
      CharSequence path, byte[] content, PutOptions options, CompletionPort<FileInfo> port) {
    Objects.requireNonNull(content, "content");
    Objects.requireNonNull(options, "options");
    at(path, port, parsed -> request(inner -> files.write(parsed, content, options, inner), port));
  }

  // ------------------------------------------------------------------ ranges

  @Override
  public final void write(
      CharSequence path, OpenMode mode, long offset, byte[] bytes, CompletionPort<FileInfo> port) {
    Objects.requireNonNull(mode, "mode");
    Objects.requireNonNull(bytes, "bytes");
    at(
        path,
        port,
        parsed -> request(inner -> files.write(parsed, mode, offset, bytes, inner), port));
  }

  @Override
  public final void append(
      CharSequence path, OpenMode mode, byte[] bytes, CompletionPort<FileInfo> port) {
    Objects.requireNonNull(mode, "mode");
    Objects.requireNonNull(bytes, "bytes");
    at(path, port, parsed -> request(inner -> files.append(parsed, mode, bytes, inner), port));
  }

  @Override
  public final void truncate(
      CharSequence path, OpenMode mode, long sizeBytes, CompletionPort<FileInfo> port) {
    Objects.requireNonNull(mode, "mode");
    at(
        path,
        port,
        parsed -> request(inner -> files.truncate(parsed, mode, sizeBytes, inner), port));
  }

  @Override
  public final void splice(
      CharSequence path,
      OpenMode mode,
      AsyncTransaction.Splice splice,
      CompletionPort<FileInfo> port) {
    Objects.requireNonNull(mode, "mode");
    Objects.requireNonNull(splice, "splice");
    at(path, port, parsed -> request(inner -> files.splice(parsed, mode, splice, inner), port));
  }
}
