package dev.upcall.fileman;

import dev.upcall.access.SegmentHandle;
import dev.upcall.access.Segments;
import dev.upcall.buffer.LeaseOwner;
import dev.upcall.fsm.Completion;
import dev.upcall.fsm.CompletionPort;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.Failure;
import dev.upcall.fsm.Gate;
import dev.upcall.fsm.Unit;
import dev.upcall.segment.ContentStager;
import dev.upcall.txn.Durability;
import dev.upcall.txn.Snapshot;
import dev.upcall.txn.Store;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The file manager over a store. */
final class StoreFileManager extends StoreReads implements FileManager {
  private static final LeaseOwner HANDLE_OWNER = new LeaseOwner("file-handle", 0);
  private static final LeaseOwner PUT_OWNER = new LeaseOwner("file-put", 0);

  private final Store store;
  private final Dispatcher dispatcher;
  private final FileManagerConfig config;
  private final Entrance entrance;
  private final BatchQueue batches;
  private final Reclaimer reclaimer;
  private final Expirer expirer;
  private final Set<Runnable> openHandles = new LinkedHashSet<>();

  private StoreFileManager(Store store, FileManagerConfig config, Entrance entrance) {
    super(store, entrance, config.listStepEntries());
    this.store = store;
    this.dispatcher = store.dispatcher();
    this.config = config;
    this.entrance = entrance;
    this.batches = new BatchQueue(store, config);
    this.reclaimer = new Reclaimer(store, config.reclaimStepEntries());
    this.expirer = new Expirer(store, config.reclaimStepEntries());
  }

  static void open(Store store, FileManagerConfig config, CompletionPort<FileManager> port) {
    RootDirectory.ensure(
        store,
        completion -> {
          switch (completion) {
            case Completion.Failed<Unit> failed -> port.complete(failed.cast());
            case Completion.Done<Unit> _ -> {
              Entrance entrance = new Entrance(store.dispatcher(), config.maxRequests());
              StoreFileManager manager = new StoreFileManager(store, config, entrance);
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
  public void snapshot(CompletionPort<FileSnapshot> port) {
    CompletionPort<FileSnapshot> inside = entrance.enter(FileOperation.SNAPSHOT, port);
    if (inside != null) {
      store.snapshot(completion -> inside.complete(map(completion, this::newSnapshot)));
    }
  }

  @Override
  public void open(StorePath path, OpenMode mode, CompletionPort<FileHandle> port) {
    CompletionPort<FileHandle> inside = entrance.enter(FileOperation.OPEN, port);
    if (inside != null) {
      CompletionPort<SegmentHandle> opened =
          completion ->
              inside.complete(map(completion, segment -> newHandle(path.lastName(), segment)));
      new OpenRun(new OpenRun.Parts(store, this::submit, this::openSegment), path, mode, opened)
          .look();
    }
  }

  @Override
  public void put(StorePath path, PutOptions options, CompletionPort<PutHandle> port) {
    CompletionPort<PutHandle> inside = entrance.enter(FileOperation.PUT_BEGIN, port);
    if (inside != null) {
      store.query(
          Looks.putTarget(path, options),
          completion -> inside.complete(beginPut(completion, path, options)));
    }
  }

  @Override
  public ContentStager stage(LeaseOwner owner) {
    return store.stage(owner);
  }

  @Override
  public void batch(
      List<FileRequest> requests, Durability durability, CompletionPort<BatchResult> port) {
    CompletionPort<BatchResult> inside = entrance.enter(FileOperation.BATCH, port);
    if (inside == null) {
      requests.forEach(BatchRun::discardContent);
    } else {
      submit(requests, durability, inside);
    }
  }

  @Override
  public void createDirectory(StorePath path, boolean parents, CompletionPort<FileInfo> port) {
    one(
        FileOperation.CREATE_DIRECTORY,
        new FileRequest.CreateDirectory(path, parents, MetadataChange.NONE),
        port);
  }

  @Override
  public void symbolicLink(StorePath path, String target, CompletionPort<FileInfo> port) {
    one(
        FileOperation.SYMBOLIC_LINK,
        new FileRequest.SymbolicLink(path, target, MetadataChange.NONE),
        port);
  }

  @Override
  public void delete(StorePath path, FileCondition condition, CompletionPort<Unit> port) {
    oneAway(FileOperation.DELETE, new FileRequest.Delete(path, condition), port);
  }

  @Override
  public void deleteTree(StorePath path, FileCondition condition, CompletionPort<Unit> port) {
    oneAway(FileOperation.DELETE_TREE, new FileRequest.DeleteTree(path, condition), port);
  }

  @Override
  public void rename(
      StorePath from, StorePath to, FileCondition target, CompletionPort<FileInfo> port) {
    one(FileOperation.RENAME, new FileRequest.Rename(from, to, target), port);
  }

  @Override
  public void setMetadata(FileRequest.SetMetadata request, CompletionPort<FileInfo> port) {
    one(FileOperation.SET_METADATA, request, port);
  }

  @Override
  public void flush(CompletionPort<Unit> port) {
    CompletionPort<Unit> inside = entrance.enter(FileOperation.FLUSH, port);
    if (inside != null) {
      store.flush(inside);
    }
  }

  @Override
  public FileManagerInfo info() {
    return new FileManagerInfo(
        entrance.gate().inside(),
        openHandles.size(),
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
    return entrance.meter().snapshot(info());
  }

  @Override
  public void close(CompletionPort<Unit> port) {
    Gate gate = entrance.gate();
    if (gate.isOpen()) {
      close("reclaimer", reclaimer::close);
      close("expirer", expirer::close);
    }
    gate.close(port);
    List.copyOf(openHandles).forEach(Runnable::run);
  }

  private void close(String machine, Consumer<Runnable> close) {
    entrance.gate().enter(machine);
    close.accept(() -> entrance.gate().leave(machine));
  }

  private void one(FileOperation operation, FileRequest request, CompletionPort<FileInfo> port) {
    CompletionPort<FileInfo> inside = entrance.enter(operation, port);
    if (inside != null) {
      submit(
          List.of(request),
          Durability.SYNC,
          completion -> inside.complete(map(completion, BatchResult::only)));
    }
  }

  private void oneAway(FileOperation operation, FileRequest request, CompletionPort<Unit> port) {
    CompletionPort<Unit> inside = entrance.enter(operation, port);
    if (inside != null) {
      submit(
          List.of(request),
          Durability.SYNC,
          completion -> inside.complete(map(completion, _ -> Unit.UNIT)));
    }
  }

  private void submit(
      List<FileRequest> requests, Durability durability, CompletionPort<BatchResult> port) {
    boolean detaches = requests.stream().anyMatch(r -> r instanceof FileRequest.DeleteTree);
    batches.submit(
        requests,
        durability,
        completion -> {
          if (entrance.gate().isOpen()
              && completion instanceof Completion.Done<BatchResult>(BatchResult result)) {
            expirer.expect(result.firstExpiryNanos());
            if (detaches) {
              reclaimer.wake();
            }
          }
          port.complete(completion);
        });
  }

  private void openSegment(long id, CompletionPort<SegmentHandle> port) {
    Segments.open(store, id, HANDLE_OWNER, port);
  }

  private FileSnapshot newSnapshot(Snapshot snapshot) {
    Registration registration = new Registration();
    StoreSnapshot files =
        new StoreSnapshot(snapshot, entrance, config.listStepEntries(), registration::remove);
    registration.add(files::close);
    return files;
  }

  private FileHandle newHandle(String name, SegmentHandle segment) {
    Registration registration = new Registration();
    StoreFileHandle handle =
        new StoreFileHandle(store, entrance, name, segment, registration::remove);
    registration.add(handle::abandon);
    return handle;
  }

  private Completion<PutHandle> beginPut(
      Completion<Resolution> target, StorePath path, PutOptions options) {
    Failure refused = store.refusesContent();
    return switch (target) {
      case Completion.Failed<Resolution> failed -> failed.cast();
      case Completion.Done<Resolution> _ when refused != null -> Completion.failed(refused);
      case Completion.Done<Resolution> _ -> Completion.done(newPut(path, options));
    };
  }

  private PutHandle newPut(StorePath path, PutOptions options) {
    Registration registration = new Registration();
    FileRequest.Put request =
        new FileRequest.Put(path, new FileContent.Bytes(new byte[0]), options);
    ContentStager stager = store.stage(PUT_OWNER);
    StorePutHandle handle =
        new StorePutHandle(entrance, request, stager, this::submit, registration::remove);
    registration.add(handle::abandon);
    return handle;
  }

  private static <S, T> Completion<T> map(Completion<S> completion, Function<S, T> change) {
    return switch (completion) {
      case Completion.Failed<S> failed -> failed.cast();
      case Completion.Done<S>(S value) -> Completion.done(change.apply(value));
    };
  }

  /** An open handle's place among those that a close gives up. */
  private final class Registration {
    private @Nullable Runnable abandon;

    void add(Runnable how) {
      abandon = how;
      openHandles.add(how);
    }

    void remove() {
      if (abandon != null) {
        openHandles.remove(abandon);
      }
    }
  }
}
