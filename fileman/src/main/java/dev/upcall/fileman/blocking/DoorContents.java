package dev.upcall.fileman.blocking;

import dev.upcall.AsyncChanges;
import dev.upcall.AsyncTransaction;
import dev.upcall.FileChanges;
import dev.upcall.FileContent;
import dev.upcall.FileHandle;
import dev.upcall.FileInfo;
import dev.upcall.FileRequest;
import dev.upcall.OpenMode;
import dev.upcall.PutHandle;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.txn.PublishedReads;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Changes with contents through a door. */
abstract class DoorContents extends DoorReads implements AsyncChanges.Contents {
  private static final int SMALL_BYTES = 64 << 10;

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
    at(
        path,
        port,
        parsed -> {
          if (content.length > SMALL_BYTES) {
            request(inner -> putWhole(parsed, content, options, inner), port);
          } else {
            FileRequest put = new FileRequest.Put(parsed, new FileContent.Bytes(content), options);
            this.<Optional<FileInfo>>request(
                inner -> files.change(put, inner),
                made -> port.complete(made.map(Optional::orElseThrow)));
          }
        });
  }

  /** Dispatcher's thread. */
  private void putWhole(
      StorePath path, byte[] content, PutOptions options, CompletionPort<FileInfo> port) {
    files.put(
        path,
        options,
        port.then(
            put ->
                put.append(
                    ByteBuffer.wrap(content),
                    appended -> {
                      if (appended instanceof Completion.Failed<Unit> failed) {
                        put.abandon();
                        port.complete(failed.cast());
                      } else {
                        put.commit(port);
                      }
                    })));
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
