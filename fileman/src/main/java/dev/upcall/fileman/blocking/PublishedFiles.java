package dev.upcall.fileman.blocking;

import dev.upcall.FileInfo;
import dev.upcall.FileManager;
import dev.upcall.LinkPolicy;
import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.ContentSlice;
import dev.upcall.content.LeaseOwner;
import dev.upcall.fileman.plan.Looks;
import dev.upcall.fileman.reading.SequentialMisses;
import dev.upcall.fileman.reading.SliceCopy;
import dev.upcall.fileman.stage.LineOfAsks;
import dev.upcall.io.IoClass;
import dev.upcall.request.Look;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.layout.Inode;
import dev.upcall.txn.PublishedReads;
import dev.upcall.txn.Query;
import dev.upcall.txn.Store;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Files of the state machines by their id: read on the caller's thread what is in memory. */
final class PublishedFiles extends HandleFiles {
  private static final LeaseOwner READER = new LeaseOwner("file-by-id-read", 0);

  /** Reads inside the store whose callers do not wait; others stand in line. */
  private static final int MAX_ASKED = 256;

  /** The most of one of them: all together hold no more frames than others can do without. */
  private static final int MAX_ASKED_BYTES = 64 << 10;

  private final Calls calls;
  private final FileManager manager;
  private final Store store;
  private final PublishedReads published;
  private final SequentialMisses misses = new SequentialMisses();
  private @Nullable LineOfAsks inLine;

  /** Commits up to here are known to be durable; written by the dispatcher. */
  private volatile long durableScn = -1;

  PublishedFiles(Calls calls, FileManager manager) {
    super(calls, manager.store());
    this.calls = calls;
    this.manager = manager;
    this.store = manager.store();
    this.published = store.published();
  }

  @Override
  public @Nullable FileInfo find(StorePath path, LinkPolicy links) {
    Completion<FileInfo> seen =
        look(Looks.stat(path, links), port -> manager.ask(new Look.Stat(path, links), port));
    return seen instanceof Completion.Failed<FileInfo>(Failure.NotFound _)
        ? null
        : UpcallException.value(seen);
  }

  @Override
  public long sizeBytes(long id) {
    Query<Inode> query = file(id);
    Completion<Inode> seen = look(query, port -> store.query(query, port));
    return UpcallException.value(seen).size();
  }

  private <T> Completion<T> look(Query<T> query, Consumer<CompletionPort<T>> request) {
    Completion<T> seen = calls.maySee() ? published.look(query) : null;
    return seen != null
        ? seen
        : calls.inside(
            () ->
                calls.completion(
                    port -> {
                      published.wanted();
                      request.accept(port);
                    }));
  }

  @Override
  public int read(long id, long offset, ByteBuffer into) {
    Query<Inode> query = file(id);
    Completion<Integer> seen = seen(query, offset, into);
    return seen != null
        ? UpcallException.value(seen)
        : Slices.read(
            calls,
            (from, maxBytes, port) -> {
              published.contentsWanted();
              read(query, from, misses.bytesFor(id, from, maxBytes), port);
            },
            offset,
            into);
  }

  /** What is in memory, on the caller's thread; null if the store must be asked. */
  private @Nullable Completion<Integer> seen(Query<Inode> query, long offset, ByteBuffer into) {
    Completion<Integer> seen =
        calls.maySee()
            ? published.read(
                query, inode -> inode, new Into(offset, into), (_, bytes) -> bytes.capacity())
            : null;
    return seen == null ? null : seen.map(count -> taken(into, count));
  }

  private static int taken(ByteBuffer into, int count) {
    into.position(into.position() + count);
    return count == 0 ? -1 : count;
  }

  @Override
  public CompletableFuture<Integer> readLater(long id, long offset, ByteBuffer into) {
    Query<Inode> query = file(id);
    return switch (seen(query, offset, into)) {
      case Completion.Done<Integer>(Integer count) -> CompletableFuture.completedFuture(count);
      case Completion.Failed<Integer>(Failure why) ->
          CompletableFuture.failedFuture(UpcallException.of(why));
      case null -> asked(query, offset, into);
    };
  }

  /** Copied on a thread that always runs; frames are held until then, and so is the store. */
  private CompletableFuture<Integer> asked(Query<Inode> query, long offset, ByteBuffer into) {
    CompletableFuture<Integer> ended = new CompletableFuture<>();
    try {
      calls.enter();
    } catch (RuntimeException refused) {
      return CompletableFuture.failedFuture(refused);
    }
    int wanted = Math.min(into.remaining(), MAX_ASKED_BYTES);
    inLine()
        .<ContentSlice, Integer>ask(
            port -> readUnlessDone(ended, query, new Range(offset, wanted), port),
            slice -> {
              int count = SliceCopy.moveTo(into, slice);
              return count == 0 ? -1 : count;
            },
            ContentSlice::release)
        .whenComplete(
            (count, failure) -> {
              calls.leave();
              if (failure == null) {
                ended.complete(count);
              } else {
                ended.completeExceptionally(failure);
              }
            });
    return ended;
  }

  private record Range(long offset, int maxBytes) {}

  /** Dispatcher's thread. */
  private void readUnlessDone(
      CompletableFuture<Integer> ended,
      Query<Inode> query,
      Range range,
      CompletionPort<ContentSlice> port) {
    if (ended.isDone()) {
      store
          .dispatcher()
          .complete(port, Completion.failed(new Failure.Cancelled("a read before its turn")));
    } else {
      published.contentsWanted();
      read(query, range.offset(), range.maxBytes(), port);
    }
  }

  /** Made when it is first needed: most programs wait. */
  private synchronized LineOfAsks inLine() {
    LineOfAsks present = inLine;
    if (present == null) {
      present = new LineOfAsks(store.dispatcher(), MAX_ASKED);
      inLine = present;
    }
    return present;
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
