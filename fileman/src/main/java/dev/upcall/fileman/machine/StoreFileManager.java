package dev.upcall.fileman.machine;

import dev.upcall.BatchResult;
import dev.upcall.FileManager;
import dev.upcall.FileManagerConfig;
import dev.upcall.FileManagerInfo;
import dev.upcall.FileManagerMetrics;
import dev.upcall.FileOperation;
import dev.upcall.FileSnapshot;
import dev.upcall.FileTransaction;
import dev.upcall.LinkPolicy;
import dev.upcall.OpenFile;
import dev.upcall.StorePath;
import dev.upcall.access.SegmentHandle;
import dev.upcall.access.Segments;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.config.Compression;
import dev.upcall.config.Dedup;
import dev.upcall.content.ContentStager;
import dev.upcall.content.Kind;
import dev.upcall.content.LeaseOwner;
import dev.upcall.content.StagedContent;
import dev.upcall.fileman.background.Expirer;
import dev.upcall.fileman.background.Reclaimer;
import dev.upcall.fileman.plan.BatchPlanner;
import dev.upcall.fileman.plan.Looks;
import dev.upcall.fileman.plan.RootDirectory;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.Gate;
import dev.upcall.request.Change;
import dev.upcall.request.FileRequest;
import dev.upcall.segment.Stager;
import dev.upcall.store.Durability;
import dev.upcall.store.NamedSnapshot;
import dev.upcall.store.NamedSnapshotList;
import dev.upcall.store.StoreInfo;
import dev.upcall.txn.PublishedReads;
import dev.upcall.txn.Snapshot;
import dev.upcall.txn.Store;
import dev.upcall.txn.Transaction;
import dev.upcall.txn.dedup.DedupStager;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The file manager over a store. */
public final class StoreFileManager extends StoreChanges implements FileManager {
  private final Store store;
  private final Dispatcher dispatcher;
  private final FileManagerConfig config;
  private final Entrance entrance;
  private final OpenHandles handles;
  private final BatchQueue batches;

  /**
   * Has a budget of its own: who holds locks must not wait for the memory of who waits for them.
   */
  private final BatchQueue transactionBatches;

  private final Reclaimer reclaimer;
  private final Expirer expirer;

  private StoreFileManager(Parts parts, FileManagerConfig config) {
    super(parts, parts.store());
    this.store = parts.store();
    this.dispatcher = store.dispatcher();
    this.config = config;
    this.entrance = parts.entrance();
    this.handles = parts.handles();
    this.batches = new BatchQueue(store, config);
    this.transactionBatches = new BatchQueue(store, config);
    this.reclaimer = new Reclaimer(store, config.reclaimStepEntries());
    this.expirer = new Expirer(store, config.reclaimStepEntries());
  }

  public static void open(Store store, FileManagerConfig config, CompletionPort<FileManager> port) {
    RootDirectory.ensure(
        store,
        completion -> {
          switch (completion) {
            case Completion.Failed<Unit> failed -> port.complete(failed.cast());
            case Completion.Done<Unit> _ -> {
              Entrance entrance = new Entrance(store.dispatcher(), config.maxRequests());
              OpenHandles handles = new OpenHandles();
              Parts parts = new Parts(store, entrance, handles, config.listStepEntries());
              StoreFileManager manager = new StoreFileManager(parts, config);
              manager.reclaimer.wake();
              manager.expirer.begin();
              port.complete(Completion.done(manager));
            }
          }
        });
  }

  @Override
  public Dispatcher dispatcher() {
    return dispatcher;
  }

  @Override
  public Store store() {
    return store;
  }

  @Override
  public @Nullable Completion<OpenFile> openCopy(CharSequence path, ByteBuffer into) {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(into, "into");
    return switch (StorePath.parse(path)) {
      case Completion.Failed<StorePath> failed -> failed.cast();
      case Completion.Done<StorePath>(StorePath parsed) -> copied(parsed, into);
    };
  }

  private @Nullable Completion<OpenFile> copied(StorePath path, ByteBuffer into) {
    return store
        .published()
        .read(
            Looks.at(path, LinkPolicy.FOLLOW),
            seen -> seen.inode().kind() == Kind.FILE ? seen.inode() : null,
            PublishedReads.Room.in(into),
            (seen, bytes) ->
                new OpenFile(seen.info(), new CopiedContent(seen.inode(), bytes), seen.led()));
  }

  @Override
  public void wantCopies() {
    store.published().contentsWanted();
  }

  @Override
  public void snapshot(CompletionPort<FileSnapshot> port) {
    CompletionPort<FileSnapshot> inside = entrance.enter(FileOperation.SNAPSHOT, port);
    if (inside != null) {
      store.snapshot(completion -> inside.complete(completion.map(this::newSnapshot)));
    }
  }

  @Override
  public void createSnapshot(String name, CompletionPort<NamedSnapshot> port) {
    Objects.requireNonNull(name, "name");
    CompletionPort<NamedSnapshot> inside = entrance.enter(FileOperation.CREATE_SNAPSHOT, port);
    if (inside != null) {
      String wrong = StorePath.whatIsWrongWith(name).orElse(null);
      if (wrong == null) {
        store.namedSnapshots().create(name, inside);
      } else {
        dispatcher.complete(
            inside, Completion.failed(new Failure.Invalid("the name of a snapshot: " + wrong)));
      }
    }
  }

  @Override
  public void snapshots(CompletionPort<NamedSnapshotList> port) {
    CompletionPort<NamedSnapshotList> inside = entrance.enter(FileOperation.LIST_SNAPSHOTS, port);
    if (inside != null) {
      store.namedSnapshots().list(inside);
    }
  }

  @Override
  public void snapshot(String name, CompletionPort<FileSnapshot> port) {
    Objects.requireNonNull(name, "name");
    CompletionPort<FileSnapshot> inside = entrance.enter(FileOperation.SNAPSHOT, port);
    if (inside != null) {
      store
          .namedSnapshots()
          .open(name, completion -> inside.complete(completion.map(this::newSnapshot)));
    }
  }

  @Override
  public void dropSnapshot(String name, CompletionPort<Unit> port) {
    Objects.requireNonNull(name, "name");
    CompletionPort<Unit> inside = entrance.enter(FileOperation.DROP_SNAPSHOT, port);
    if (inside != null) {
      store.namedSnapshots().drop(name, inside);
    }
  }

  @Override
  public void begin(CompletionPort<FileTransaction> port) {
    CompletionPort<FileTransaction> inside = entrance.enter(FileOperation.TRANSACTION_BEGIN, port);
    if (inside != null) {
      store.begin(completion -> inside.complete(completion.map(this::newTransaction)));
    }
  }

  private FileTransaction newTransaction(Transaction transaction) {
    OpenHandles.Place place = handles.place();
    place.take(transaction::rollback);
    transaction.whenOver(place::leave);
    return new StoreFileTransaction(parts(), transaction, transactionBatches, this::changed);
  }

  @Override
  public ContentStager stage(LeaseOwner owner) {
    return store.stage(Objects.requireNonNull(owner, "owner"));
  }

  @Override
  public ContentStager stage(LeaseOwner owner, Compression degree, Dedup dedup) {
    Objects.requireNonNull(dedup, "dedup");
    Stager own =
        store.stage(
            Objects.requireNonNull(owner, "owner"), Objects.requireNonNull(degree, "degree"));
    return dedup == Dedup.FILE ? new DedupStager(store, own, owner) : own;
  }

  @Override
  public Optional<Failure> refusesContent() {
    return Optional.ofNullable(store.refusesContent());
  }

  @Override
  public void flush(CompletionPort<Unit> port) {
    CompletionPort<Unit> inside = entrance.enter(FileOperation.FLUSH, port);
    if (inside != null) {
      entrance.inputs().flush();
      store.flush(inside);
    }
  }

  @Override
  public void checkpoint(CompletionPort<Unit> port) {
    store.checkpoint(port);
  }

  @Override
  public StoreInfo info() {
    return store.info();
  }

  @Override
  public FileManagerInfo fileManagerInfo() {
    return new FileManagerInfo(
        entrance.gate().inside(),
        handles.count(),
        reclaimer.isWorking(),
        reclaimer.entries(),
        reclaimer.failure(),
        expirer.isWorking(),
        expirer.files(),
        expirer.lagNanos(),
        expirer.failure());
  }

  @Override
  public FileManagerMetrics metrics() {
    dispatcher.checkOwner();
    return entrance.meter().snapshot(fileManagerInfo(), store.published().answered());
  }

  @Override
  public void close(CompletionPort<Unit> port) {
    Objects.requireNonNull(port, "port");
    Gate gate = entrance.gate();
    if (gate.isOpen()) {
      store.published().end();
      store.stopWaiting();
      close(reclaimer::close);
      close(expirer::close);
    }
    gate.close(
        closed -> {
          entrance.closed();
          port.complete(closed);
        });
    handles.giveUp();
  }

  /** Ends a machine of the background, for which the gate waits too. */
  private void close(Consumer<Runnable> close) {
    entrance.gate().enter();
    close.accept(entrance.gate()::leave);
  }

  @Override
  public void batch(
      List<FileRequest> requests,
      Function<BatchResult, Completion<List<FileRequest>>> notes,
      Durability durability,
      CompletionPort<BatchResult> port) {
    List<FileRequest> all = Change.Batch.copy(requests);
    Objects.requireNonNull(notes, "notes");
    Objects.requireNonNull(durability, "durability");
    CompletionPort<BatchResult> inside = entrance.enter(FileOperation.BATCH, port);
    if (inside == null) {
      all.forEach(BatchRun::discardContent);
    } else {
      submit(all, notes, durability, inside);
    }
  }

  @Override
  boolean mayShare() {
    return true;
  }

  @Override
  void submit(List<FileRequest> requests, Durability durability, CompletionPort<BatchResult> port) {
    submit(requests, BatchPlanner.NO_NOTES, durability, port);
  }

  private void submit(
      List<FileRequest> requests,
      Function<BatchResult, Completion<List<FileRequest>>> notes,
      Durability durability,
      CompletionPort<BatchResult> port) {
    batches.submit(
        requests,
        (batch, content, taken) -> {
          CompletionPort<BatchResult> over =
              completion -> {
                content.forEach(StagedContent::discard);
                taken.complete(completion);
              };
          BatchPlanner planner = new BatchPlanner(batch, notes);
          if (BatchPlanner.edits(requests)) {
            EditingBatch.commit(store, planner, durability, over);
          } else {
            store.change(planner, durability, over);
          }
        },
        completion -> {
          if (completion instanceof Completion.Done<BatchResult>(BatchResult result)) {
            committed(requests, result);
          }
          port.complete(completion);
        });
  }

  @Override
  public void committed(List<FileRequest> requests, BatchResult result) {
    Objects.requireNonNull(result, "result");
    changed(result.firstExpiryNanos(), StoreFileTransaction.detaches(Change.Batch.copy(requests)));
  }

  /** What the background has to do with a commit. */
  private void changed(long firstExpiryNanos, boolean detaches) {
    if (entrance.gate().isOpen()) {
      expirer.expect(firstExpiryNanos);
      if (detaches) {
        reclaimer.wake();
      }
    }
  }

  @Override
  void openSegment(Segments.Target target, CompletionPort<SegmentHandle> port) {
    Segments.open(store, target, HANDLE_OWNER, port);
  }

  private FileSnapshot newSnapshot(Snapshot snapshot) {
    OpenHandles.Place place = handles.place();
    StoreSnapshot files =
        new StoreSnapshot(snapshot, entrance, config.listStepEntries(), place::leave);
    place.take(files::close);
    return files;
  }
}
