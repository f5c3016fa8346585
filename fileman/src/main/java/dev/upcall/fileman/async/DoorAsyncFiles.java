package dev.upcall.fileman.async;

import dev.upcall.AsyncFiles;
import dev.upcall.AsyncSnapshot;
import dev.upcall.AsyncTransaction;
import dev.upcall.FileManager;
import dev.upcall.FileManagerInfo;
import dev.upcall.FileSnapshot;
import dev.upcall.Listing;
import dev.upcall.StorePath;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.config.Limits;
import dev.upcall.content.ContentStager;
import dev.upcall.content.LeaseOwner;
import dev.upcall.content.StagedContent;
import dev.upcall.fileman.reading.PublishedLooks;
import dev.upcall.fileman.watch.ChangePublisher;
import dev.upcall.fileman.watch.ChangeSubscription;
import dev.upcall.fileman.watch.WatchedDirectories;
import dev.upcall.fsm.meter.StageMeter;
import dev.upcall.store.NamedSnapshot;
import dev.upcall.store.NamedSnapshotList;
import dev.upcall.store.StoreInfo;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.function.Function;

/** Requests through a door, completions back through a passive port. */
public final class DoorAsyncFiles extends DoorContents implements AsyncFiles, ChangePublisher.Way {
  private static final LeaseOwner READER = new LeaseOwner("async-files", 0);
  private static final LeaseOwner WRITER = new LeaseOwner("async-write", 0);

  private final FileManager files;
  private final UpcallConfig config;
  private final AsyncDoor door;
  private final WatchedDirectories watched;

  /** A new door. */
  public DoorAsyncFiles(
      FileManager files,
      UpcallConfig config,
      AsyncDoor door,
      PublishedLooks looks,
      WatchedDirectories watched) {
    super(files, door, looks.by(READER));
    this.watched = watched;
    this.files = files;
    this.config = config;
    this.door = door;
  }

  @Override
  public <T> void request(Consumer<CompletionPort<T>> request, CompletionPort<T> port) {
    door.request(request, port);
  }

  @Override
  public void stage(CompletionPort<Stager> port) {
    opening(this::beginStaging, stager -> new PortStager(this, stager), port);
  }

  /** Dispatcher's thread. */
  private void beginStaging(CompletionPort<ContentStager> port) {
    port.complete(
        files
            .refusesContent()
            .<Completion<ContentStager>>map(Completion::failed)
            .orElseGet(() -> Completion.done(files.stage(WRITER))));
  }

  @Override
  public void discard(StagedContent content, CompletionPort<Unit> port) {
    Objects.requireNonNull(content, "content");
    door.request(
        inner -> {
          content.discard();
          inner.complete(Completion.done());
        },
        port);
  }

  @Override
  public void checkpoint(CompletionPort<Unit> port) {
    door.request(files::checkpoint, port);
  }

  @Override
  public void info(CompletionPort<StoreInfo> port) {
    door.request(inner -> inner.complete(Completion.done(files.info())), port);
  }

  @Override
  public void fileManagerInfo(CompletionPort<FileManagerInfo> port) {
    door.request(inner -> inner.complete(Completion.done(files.fileManagerInfo())), port);
  }

  @Override
  public UpcallConfig config() {
    return config;
  }

  @Override
  public void flush(CompletionPort<Unit> port) {
    door.request(files::flush, port);
  }

  @Override
  public Flow.Publisher<Listing.Change> changes(CharSequence directory) {
    Objects.requireNonNull(directory, "directory");
    return new ChangePublisher(StorePath.parse(directory), files, watched, this);
  }

  @Override
  public void begin(Consumer<CompletionPort<Unit>> watching, ChangeSubscription subscription) {
    door.<Unit>request(
        watching,
        begun -> {
          switch (begun) {
            case Completion.Done<Unit> _ -> subscription.begun();
            case Completion.Failed<Unit>(Failure failure) ->
                subscription.failed(UpcallException.of(failure));
          }
        });
  }

  @Override
  public void deliver(Runnable signals) {
    door.signal(signals);
  }

  @Override
  public void begin(CompletionPort<AsyncTransaction> port) {
    opening(files::begin, begun -> new DoorTransaction(begun, door, looks()), port);
  }

  @Override
  public void snapshot(CompletionPort<AsyncSnapshot> port) {
    opening(files::snapshot, this::reading, port);
  }

  @Override
  public void createSnapshot(String name, CompletionPort<NamedSnapshot> port) {
    Objects.requireNonNull(name, "name");
    door.request(inner -> files.createSnapshot(name, inner), port);
  }

  @Override
  public void snapshots(CompletionPort<NamedSnapshotList> port) {
    door.request(files::snapshots, port);
  }

  @Override
  public void snapshot(String name, CompletionPort<AsyncSnapshot> port) {
    Objects.requireNonNull(name, "name");
    opening(inner -> files.snapshot(name, inner), this::reading, port);
  }

  @Override
  public void dropSnapshot(String name, CompletionPort<Unit> port) {
    Objects.requireNonNull(name, "name");
    door.request(inner -> files.dropSnapshot(name, inner), port);
  }

  private AsyncSnapshot reading(FileSnapshot snapshot) {
    return new DoorSnapshot(snapshot, door, looks());
  }

  /** What is opened inside is used through the door. */
  private <S, T> void opening(
      Consumer<CompletionPort<S>> request, Function<S, T> through, CompletionPort<T> port) {
    Objects.requireNonNull(port, "port");
    door.<S>request(request, completion -> port.complete(completion.map(through)));
  }

  @Override
  public int poll(int limit) {
    return door.poll(limit);
  }

  @Override
  public int await(int limit, Duration timeout) throws InterruptedException {
    Objects.requireNonNull(timeout, "timeout");
    return door.await(limit, Limits.nanos(timeout));
  }

  @Override
  public int await(int limit) throws InterruptedException {
    return door.await(limit, Long.MAX_VALUE);
  }

  @Override
  public void whenRoom(CompletionPort<Unit> port) {
    door.whenRoom(port);
  }

  @Override
  public int outstanding() {
    return door.outstanding();
  }

  @Override
  public StageMeter stages() {
    return door.stages();
  }

  @Override
  public void close() {
    door.close();
  }
}
