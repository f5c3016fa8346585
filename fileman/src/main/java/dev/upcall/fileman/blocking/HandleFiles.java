package dev.upcall.fileman.blocking;

import dev.upcall.UpcallException;
import dev.upcall.access.SegmentHandle;
import dev.upcall.access.Segments;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.LeaseOwner;
import dev.upcall.nio.FilesById;
import dev.upcall.segment.Inode;
import dev.upcall.store.Durability;
import dev.upcall.txn.Query;
import dev.upcall.txn.Store;
import java.nio.ByteBuffer;
import java.util.function.BiConsumer;

/** Files by their id: each write is a handle of its own, opened, committed and closed at once. */
abstract class HandleFiles implements FilesById {
  private static final LeaseOwner OWNER = new LeaseOwner("file-by-id", 0);

  /** Somebody who writes past the channels, or sets metadata, may come between again and again. */
  private static final int ATTEMPTS = 64;

  private final Calls calls;
  private final Store store;

  /**
   * Files.
   *
   * @param store the machines'
   */
  HandleFiles(Calls calls, Store store) {
    this.calls = calls;
    this.store = store;
  }

  /** The inode, by whoever looks. */
  static Query<Inode> file(long id) {
    return view -> {
      Inode inode = view.inode(id);
      return inode == null
          ? Completion.failed(new Failure.NotFound("file " + id))
          : Completion.done(inode);
    };
  }

  @Override
  public final void write(long id, long offset, ByteBuffer from, Durability durability) {
    commit(id, durability, (handle, port) -> handle.write(offset, from.duplicate(), port));
  }

  @Override
  public final long append(long id, ByteBuffer from, Durability durability) {
    return commit(id, durability, (handle, port) -> handle.append(from.duplicate(), port));
  }

  @Override
  public final void truncate(long id, long sizeBytes, Durability durability) {
    commit(id, durability, (handle, port) -> handle.truncate(sizeBytes, port));
  }

  /** Does an edit as one commit; the size afterwards. */
  private long commit(
      long id, Durability durability, BiConsumer<SegmentHandle, CompletionPort<Unit>> edit) {
    for (int left = ATTEMPTS; ; left--) {
      try {
        return calls.<Long>call(
            port ->
                Segments.open(
                    store, Segments.Target.of(id), durability, OWNER, opened(edit, port)));
      } catch (UpcallException failed) {
        // Nothing was done: a large write was merged with what is no longer there.
        if (!(failed.failure() instanceof Failure.Conflict) || left == 0) {
          throw failed;
        }
      }
    }
  }

  /** Dispatcher's thread: edits, flushes and gives the handle back. */
  private static CompletionPort<SegmentHandle> opened(
      BiConsumer<SegmentHandle, CompletionPort<Unit>> edit, CompletionPort<Long> port) {
    return port.then(
        handle ->
            edit.accept(
                handle,
                edited -> {
                  switch (edited) {
                    case Completion.Failed<Unit> failed -> end(handle, failed, port);
                    case Completion.Done<Unit> _ ->
                        handle.flush(flushed -> end(handle, flushed, port));
                  }
                }));
  }

  private static void end(
      SegmentHandle handle, Completion<Unit> completion, CompletionPort<Long> port) {
    long sizeBytes = handle.inode().size();
    handle.abandon();
    port.complete(completion.map(_ -> sizeBytes));
  }
}
