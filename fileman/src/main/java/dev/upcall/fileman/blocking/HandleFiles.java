package dev.upcall.fileman.blocking;

import dev.upcall.MetadataChange;
import dev.upcall.UpcallException;
import dev.upcall.access.SegmentHandle;
import dev.upcall.access.Segments;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.LeaseOwner;
import dev.upcall.fileman.plan.FileMetadata;
import dev.upcall.nio.collected.Batch;
import dev.upcall.nio.collected.FilesById;
import dev.upcall.segment.layout.Inode;
import dev.upcall.store.Durability;
import dev.upcall.store.StoreInfo;
import dev.upcall.txn.Query;
import dev.upcall.txn.Store;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.BiConsumer;

/** Files by their id: each write is a handle of its own, opened, committed and closed at once. */
public abstract class HandleFiles implements FilesById {
  private static final LeaseOwner OWNER = new LeaseOwner("file-by-id", 0);

  /** Somebody who writes past the channels, or sets metadata, may come between again and again. */
  private static final int ATTEMPTS = 64;

  private final Calls calls;
  private final Store store;

  /** Written by the dispatcher. */
  private volatile long roomBytes;

  /**
   * Files.
   *
   * @param store the machines'
   */
  protected HandleFiles(Calls calls, Store store) {
    this.calls = calls;
    this.store = store;
  }

  @Override
  public final long roomBytes() {
    return roomBytes;
  }

  /** The inode, by whoever looks. */
  protected static Query<Inode> file(long id) {
    return view -> {
      Inode inode = view.inode(id);
      return inode == null
          ? Completion.failed(new Failure.NotFound("file " + id))
          : Completion.done(inode);
    };
  }

  @Override
  public final void change(long id, MetadataChange change, Durability durability) {
    calls.<Unit>call(port -> change(id, change, durability, port));
  }

  /** Dispatcher's thread. */
  private void change(
      long id, MetadataChange change, Durability durability, CompletionPort<Unit> port) {
    long nowNanos = store.dispatcher().clock().epochNanos();
    store.change(new FileMetadata(id, change, nowNanos), durability, port);
  }

  @Override
  public final void commit(long id, Batch batch, CompletionPort<Unit> port) {
    MetadataChange metadata = batch.metadata();
    if (metadata != null) {
      change(id, metadata, Durability.ASYNC, port);
      return;
    }
    List<Piece> pieces = batch.pieces();
    Segments.open(
        store,
        Segments.Target.of(id),
        Durability.ASYNC,
        OWNER,
        opened(
            (handle, edited) -> write(handle, pieces, edited),
            written -> port.complete(written.map(_ -> Unit.UNIT))));
  }

  @Override
  public final long write(long id, List<Piece> pieces, Durability durability) {
    return pieces.isEmpty()
        ? sizeBytes(id)
        : commit(id, durability, (handle, port) -> write(handle, pieces, port));
  }

  /**
   * Dispatcher's thread: a completion comes later, so this is no recursion.
   *
   * @param pieces at least one
   */
  private static void write(SegmentHandle handle, List<Piece> pieces, CompletionPort<Unit> port) {
    Piece first = pieces.getFirst();
    List<Piece> others = pieces.subList(1, pieces.size());
    CompletionPort<Unit> next =
        others.isEmpty() ? port : port.then(_ -> write(handle, others, port));
    ByteBuffer bytes = first.bytes().duplicate();
    if (first.offset() == AT_END) {
      handle.append(bytes, next);
    } else {
      handle.write(first.offset(), bytes, next);
    }
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
  private CompletionPort<SegmentHandle> opened(
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

  /** Dispatcher's thread: something was committed. */
  final void noteRoom() {
    StoreInfo info = store.info();
    roomBytes = info.capBytes() - info.sizeBytes() + info.freeBytes();
  }

  private void end(SegmentHandle handle, Completion<Unit> completion, CompletionPort<Long> port) {
    long sizeBytes = handle.inode().size();
    handle.abandon();
    noteRoom();
    port.complete(completion.map(_ -> sizeBytes));
  }
}
