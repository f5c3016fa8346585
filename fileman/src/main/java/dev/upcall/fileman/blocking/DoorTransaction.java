package dev.upcall.fileman.blocking;

import dev.upcall.AsyncTransaction;
import dev.upcall.BatchResult;
import dev.upcall.FileHandle;
import dev.upcall.FileInfo;
import dev.upcall.FileRequest;
import dev.upcall.FileTransaction;
import dev.upcall.OpenMode;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.fileman.plan.FileBatch;
import dev.upcall.store.Durability;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/** A transaction through a door. */
final class DoorTransaction extends DoorReads implements AsyncTransaction {
  private final FileTransaction transaction;
  private final AsyncDoor door;

  /** Changes that wait for the one before them; the dispatcher's. */
  private final ArrayDeque<Runnable> changes = new ArrayDeque<>();

  DoorTransaction(FileTransaction transaction, AsyncDoor door) {
    super(transaction, door, /* published= */ null);
    this.transaction = transaction;
    this.door = door;
  }

  @Override
  public long id() {
    return transaction.id();
  }

  @Override
  public long scn() {
    return transaction.scn();
  }

  @Override
  public void change(FileRequest request, CompletionPort<Optional<FileInfo>> port) {
    Objects.requireNonNull(request, "request");
    inOrder(inner -> transaction.change(request, inner), port);
  }

  @Override
  public void batch(List<FileRequest> requests, CompletionPort<BatchResult> port) {
    List<FileRequest> copy = FileBatch.copy(requests);
    inOrder(inner -> transaction.batch(copy, inner), port);
  }

  @Override
  public void write(
      CharSequence path, OpenMode mode, long offset, byte[] bytes, CompletionPort<FileInfo> port) {
    Objects.requireNonNull(bytes, "bytes");
    edit(path, mode, (handle, done) -> handle.write(offset, ByteBuffer.wrap(bytes), done), port);
  }

  @Override
  public void append(
      CharSequence path, OpenMode mode, byte[] bytes, CompletionPort<FileInfo> port) {
    Objects.requireNonNull(bytes, "bytes");
    edit(path, mode, (handle, done) -> handle.append(ByteBuffer.wrap(bytes), done), port);
  }

  @Override
  public void truncate(
      CharSequence path, OpenMode mode, long sizeBytes, CompletionPort<FileInfo> port) {
    edit(path, mode, (handle, done) -> handle.truncate(sizeBytes, done), port);
  }

  @Override
  public void splice(
      CharSequence path, OpenMode mode, Splice splice, CompletionPort<FileInfo> port) {
    Objects.requireNonNull(splice, "splice");
    edit(
        path,
        mode,
        (handle, done) ->
            handle.splice(splice.offset(), splice.removed(), ByteBuffer.wrap(splice.bytes()), done),
        port);
  }

  /**
   * A range takes several requests, and what is asked later must find all that was asked before.
   */
  private <T> void inOrder(Consumer<CompletionPort<T>> request, CompletionPort<T> port) {
    Objects.requireNonNull(port, "port");
    door.<T>request(
        inner -> {
          changes.addLast(
              () ->
                  request.accept(
                      completion -> {
                        inner.complete(completion);
                        next();
                      }));
          if (changes.size() == 1) {
            changes.getFirst().run();
          }
        },
        port);
  }

  private void next() {
    changes.removeFirst();
    Runnable first = changes.peekFirst();
    if (first != null) {
      first.run();
    }
  }

  /** What is done through a handle. */
  private interface Edit {
    void run(FileHandle handle, CompletionPort<Unit> port);
  }

  private void edit(CharSequence path, OpenMode mode, Edit edit, CompletionPort<FileInfo> port) {
    Objects.requireNonNull(mode, "mode");
    at(path, port, parsed -> inOrder(inner -> editNow(parsed, mode, edit, inner), port));
  }

  /** Dispatcher's thread. */
  private void editNow(StorePath path, OpenMode mode, Edit edit, CompletionPort<FileInfo> port) {
    transaction.open(
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

  @Override
  public void commit(Durability durability, CompletionPort<Long> port) {
    Objects.requireNonNull(durability, "durability");
    inOrder(inner -> transaction.commit(durability, inner), port);
  }

  @Override
  public void rollback(CompletionPort<Unit> port) {
    door.request(this::rollBack, port);
  }

  /** Dispatcher's thread. */
  private void rollBack(CompletionPort<Unit> port) {
    transaction.rollback();
    port.complete(Completion.done());
  }
}
