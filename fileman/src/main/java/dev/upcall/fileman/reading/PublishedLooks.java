package dev.upcall.fileman.reading;

import dev.upcall.FileManager;
import dev.upcall.FileReads;
import dev.upcall.OpenFile;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.content.LeaseOwner;
import dev.upcall.fileman.plan.Looks;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.HeapBudget;
import dev.upcall.fsm.record.Stage;
import dev.upcall.request.Look;
import dev.upcall.segment.PinnedContent;
import dev.upcall.txn.PublishedReads;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks at one set of files by callers on other threads than the store's: what is published is
 * answered on theirs, all else by the store.
 */
public final class PublishedLooks {
  private final Shared shared;
  private final FileReads files;
  private final LeaseOwner owner;
  private final @Nullable PublishedReads published;

  /**
   * The parts that all looks of a store share.
   *
   * @param open what the store must close when it is closed itself; the dispatcher's
   */
  private record Shared(Dispatcher dispatcher, Set<Runnable> open, LargeWork largeWork) {}

  private PublishedLooks(
      Shared shared, FileReads files, LeaseOwner owner, @Nullable PublishedReads published) {
    this.shared = shared;
    this.files = files;
    this.owner = owner;
    this.published = published;
  }

  /**
   * The looks of a store.
   *
   * @param owner who answers for the frames that reads pin
   */
  public static PublishedLooks of(FileManager files, LeaseOwner owner) {
    Dispatcher dispatcher = files.dispatcher();
    Shared shared = new Shared(dispatcher, new LinkedHashSet<>(), new LargeWork(dispatcher));
    return new PublishedLooks(shared, files, owner, files.store().published());
  }

  /** Files of which other threads may find something by themselves. */
  public interface Source {
    /** What they find; null: nothing. Any thread. */
    @Nullable PublishedReads published();
  }

  /** The same at a snapshot or in a transaction. */
  public PublishedLooks in(FileReads others) {
    PublishedReads found = others instanceof Source source ? source.published() : null;
    return new PublishedLooks(shared, others, owner, found);
  }

  /** The same with another owner of what reads pin. */
  public PublishedLooks by(LeaseOwner other) {
    return new PublishedLooks(shared, files, other, published);
  }

  /** Closes what callers have open, whoever it was. Dispatcher's thread. */
  public void closeOpen() {
    List.copyOf(shared.open()).forEach(Runnable::run);
  }

  /** The published state, if that is what is read; callers look at it themselves. */
  public @Nullable PublishedReads published() {
    return published;
  }

  /**
   * The answer of a look, if all that it needs is published and in memory; null: the store is to be
   * asked. Any thread.
   *
   * @param maxWholeBytes the largest file that is copied whole
   */
  @SuppressWarnings("unchecked") // what is read of content is bytes
  public <R> @Nullable Completion<R> seen(Look<R> look, int maxWholeBytes) {
    PublishedReads all = published;
    if (all == null) {
      return null;
    }
    return switch (look) {
      case Look.OfNames<R> names -> all.look(Looks.of(names));
      case Look.ReadWhole whole ->
          (Completion<R>) all.bytes(Looks.content(whole.path()), maxWholeBytes);
      case Look.ReadRange range ->
          (Completion<R>) all.range(Looks.content(range.path()), range.offset(), range.maxBytes());
    };
  }

  /** Has the store answer a look. The port may hear inside this call. Dispatcher's thread. */
  @SuppressWarnings("unchecked") // as above
  public <R> void ask(Look<R> look, CompletionPort<R> port) {
    switch (look) {
      case Look.OfNames<R> names -> {
        if (published != null) {
          published.wanted();
        }
        try {
          files.ask(names, port);
        } catch (OutOfMemoryError noRoom) { // before it has entered: behind that it lets none out
          shared.dispatcher().complete(port, HeapBudget.failedFull());
        }
      }
      case Look.ReadWhole whole -> {
        wanted();
        files.ask(whole, (CompletionPort<byte[]>) port);
      }
      case Look.ReadRange range -> {
        wanted();
        Runnable inMemory = () -> shared.dispatcher().recorder().stamp(Stage.FOUND);
        openFile(range.path(), new RangeRead(range, inMemory, (CompletionPort<byte[]>) port));
      }
    }
  }

  /** Opens one version of a file and holds it. Dispatcher's thread. */
  public void open(StorePath path, CompletionPort<ReadSide> port) {
    openFile(path, VersionRead.opening(path, this::keep, port));
  }

  /** Copies a whole file if it is small; else it stays open. Dispatcher's thread. */
  public void whole(StorePath path, CompletionPort<WholeRead.Found> port) {
    wanted();
    openFile(path, new WholeRead(path, this::keep, shared.dispatcher().heap(), port));
  }

  /**
   * A whole file in an array, whose part of the heap is the caller's to give back. Dispatcher's
   * thread.
   */
  public void array(StorePath path, HeapBudget.Hold hold, CompletionPort<byte[]> port) {
    wanted();
    ArrayRead.Room room = new ArrayRead.Room(hold, 1);
    open(path, new ArrayRead(path, shared.largeWork(), room, port));
  }

  private ReadSide keep(OpenFile file, PinnedContent content) {
    return new ReadSide(shared.dispatcher(), file, content, shared.open());
  }

  private void wanted() {
    if (published != null) {
      published.contentsWanted();
    }
  }

  /**
   * Opens a file, now or later: a request that came through a door is an upcall already and its
   * completion goes to another thread, so what is in memory needs no second way through the FIFO.
   */
  private void openFile(StorePath path, CompletionPort<OpenFile> port) {
    Completion<OpenFile> now;
    try {
      now = files.tryOpenRead(path, owner);
    } catch (OutOfMemoryError noRoom) { // it holds nothing then
      now = HeapBudget.failedFull();
    }
    if (now == null) {
      files.openRead(path, owner, port);
    } else if (now == HeapBudget.<OpenFile>failedFull()) {
      shared.dispatcher().complete(port, now); // when there is room for the answer
    } else {
      port.complete(now);
    }
  }
}
