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
import org.jspecify.annotations.Nullable;

/** Changes with contents through a door. */
abstract class DoorContents extends DoorReads implements AsyncChanges.Contents, PortWay {
  private static final int SMALL_BYTES = 64 << 10;

  private final FileChanges files;

  DoorContents(FileChanges files, AsyncDoor door, @Nullable PublishedReads published) {
    super(files, door, published);
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
    Objects.requireNonNull(bytes, "bytes");
    edit(path, mode, (handle, done) -> handle.write(offset, ByteBuffer.wrap(bytes), done), port);
  }

  @Override
  public final void append(
      CharSequence path, OpenMode mode, byte[] bytes, CompletionPort<FileInfo> port) {
    Objects.requireNonNull(bytes, "bytes");
    edit(path, mode, (handle, done) -> handle.append(ByteBuffer.wrap(bytes), done), port);
  }

  @Override
  public final void truncate(
      CharSequence path, OpenMode mode, long sizeBytes, CompletionPort<FileInfo> port) {
    edit(path, mode, (handle, done) -> handle.truncate(sizeBytes, done), port);
  }

  @Override
  public final void splice(
      CharSequence path,
      OpenMode mode,
      AsyncTransaction.Splice splice,
      CompletionPort<FileInfo> port) {
    Objects.requireNonNull(splice, "splice");
    edit(
        path,
        mode,
        (handle, done) ->
            handle.splice(splice.offset(), splice.removed(), ByteBuffer.wrap(splice.bytes()), done),
        port);
  }

  /** What is done through a handle. */
  private interface Edit {
    void run(FileHandle handle, CompletionPort<Unit> port);
  }

  private void edit(CharSequence path, OpenMode mode, Edit edit, CompletionPort<FileInfo> port) {
    Objects.requireNonNull(mode, "mode");
    at(path, port, parsed -> request(inner -> editNow(parsed, mode, edit, inner), port));
  }

  /** Dispatcher's thread. */
  private void editNow(StorePath path, OpenMode mode, Edit edit, CompletionPort<FileInfo> port) {
    files.open(
        path,
        mode,
        opened -> {
          switch (opened) {
            case Completion.Failed<FileHandle> failed -> port.complete(failed.cast());
            case Completion.Done<FileHandle>(FileHandle handle) ->
                edit.run(handle, edited -> edited(handle, edited, port));
          }
        });
  }

  /** Dispatcher's thread. */
  private static void edited(
      FileHandle handle, Completion<Unit> edited, CompletionPort<FileInfo> port) {
    if (edited instanceof Completion.Failed<Unit> failed) {
      handle.abandon();
      port.complete(failed.cast());
    } else {
      handle.close(closed -> closed(handle, closed, port));
    }
  }

  private static void closed(
      FileHandle handle, Completion<Unit> closed, CompletionPort<FileInfo> port) {
    switch (closed) {
      case Completion.Failed<Unit> failed -> {
        handle.abandon();
        port.complete(failed.cast());
      }
      case Completion.Done<Unit> _ -> port.complete(Completion.done(handle.info()));
    }
  }
}
