package dev.upcall.fileman.blocking;

import dev.upcall.UpcallException;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.content.ContentSlice;
import dev.upcall.content.LeaseOwner;
import dev.upcall.io.IoClass;
import dev.upcall.segment.Inode;
import dev.upcall.segment.PinnedContent;
import dev.upcall.txn.PublishedReads;
import dev.upcall.txn.Query;
import dev.upcall.txn.Store;
import java.nio.ByteBuffer;

/** Files of the state machines by their id: read on the caller's thread what is in memory. */
final class PublishedFiles extends HandleFiles {
  private static final LeaseOwner READER = new LeaseOwner("file-by-id-read", 0);

  private final Calls calls;
  private final Store store;
  private final PublishedReads published;

  /** Commits up to here are known to be durable; written by the dispatcher. */
  private volatile long durableScn = -1;

  PublishedFiles(Calls calls, Store store) {
    super(calls, store);
    this.calls = calls;
    this.store = store;
    this.published = store.published();
  }

  @Override
  public long sizeBytes(long id) {
    Query<Inode> query = file(id);
    return calls
        .look(published, query, (CompletionPort<Inode> port) -> store.query(query, port))
        .size();
  }

  @Override
  public int read(long id, long offset, ByteBuffer into) {
    Query<Inode> query = file(id);
    Completion<Integer> seen =
        calls.maySee()
            ? published.read(
                query, inode -> inode, new Into(offset, into), (_, bytes) -> bytes.capacity())
            : null;
    if (seen != null) {
      int count = UpcallException.value(seen);
      into.position(into.position() + count);
      return count == 0 ? -1 : count;
    }
    return Slices.read(
        calls,
        (from, maxBytes, port) -> {
          published.contentsWanted();
          read(query, from, maxBytes, port);
        },
        offset,
        into);
  }

  /** Several files are often forced one after the other: the first of them has made all durable. */
  @Override
  public void flush() {
    Completion<Long> seen =
        calls.maySee() ? published.look(view -> Completion.done(view.scn())) : null;
    if (seen == null || UpcallException.value(seen) > durableScn) {
      calls.<Unit>call(this::flush);
    }
  }

  /** Dispatcher's thread. */
  private void flush(CompletionPort<Unit> port) {
    published.wanted();
    store.flush(
        port.then(
            done -> {
              durableScn = store.info().durableScn();
              port.complete(Completion.done());
            }));
  }

  /** What remains of a buffer, for a range. */
  private record Into(long fromByte, ByteBuffer into) implements PublishedReads.Room {
    @Override
    public boolean isAtHand() {
      return true;
    }

    @Override
    public ByteBuffer of(long sizeBytes) {
      return into.slice(into.position(), Math.clamp(sizeBytes - fromByte, 0, into.remaining()));
    }
  }

  /** Dispatcher's thread. */
  private void read(
      Query<Inode> query, long offset, int maxBytes, CompletionPort<ContentSlice> port) {
    store.pin(
        query,
        READER,
        port.then(
            content ->
                content.read(
                    offset,
                    maxBytes,
                    IoClass.FOREGROUND_READ,
                    slice -> end(content, slice, port))));
  }

  private static void end(
      PinnedContent content, Completion<ContentSlice> slice, CompletionPort<ContentSlice> port) {
    content.close();
    port.complete(slice);
  }
}
