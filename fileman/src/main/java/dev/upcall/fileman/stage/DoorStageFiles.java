package dev.upcall.fileman.stage;

import dev.upcall.FileManager;
import dev.upcall.FileManagerInfo;
import dev.upcall.FileSnapshot;
import dev.upcall.FileTransaction;
import dev.upcall.Listing;
import dev.upcall.StorePath;
import dev.upcall.UpcallConfig;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.config.Limits;
import dev.upcall.content.ContentStager;
import dev.upcall.content.LeaseOwner;
import dev.upcall.content.StagedContent;
import dev.upcall.fileman.reading.PublishedLooks;
import dev.upcall.fileman.watch.ChangePublisher;
import dev.upcall.fileman.watch.WatchedDirectories;
import dev.upcall.stage.StageFiles;
import dev.upcall.stage.StageLimits;
import dev.upcall.stage.StageSnapshot;
import dev.upcall.stage.StageTransaction;
import dev.upcall.store.NamedSnapshot;
import dev.upcall.store.NamedSnapshotList;
import dev.upcall.store.StoreInfo;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.function.Function;

/** All that a store can be asked, through the door of stages. */
public final class DoorStageFiles extends DoorStageChanges implements StageFiles {
  /** Some decades: what is longer is never reached. */
  private static final long LONGEST_NANOS = 1L << 60;

  private static final LeaseOwner READER = new LeaseOwner("stage-files", 0);

  private final Asker asker;
  private final Behind behind;
  private final FileManager files;

  /**
   * The store behind a door.
   *
   * @param config the settings that it was opened with
   * @param looks what is asked of its files
   * @param watched what hears of its changes; the dispatcher's
   */
  public record Behind(
      FileManager files, UpcallConfig config, PublishedLooks looks, WatchedDirectories watched) {}

  private DoorStageFiles(Asker asker, Behind behind) {
    super(asker, behind.files(), behind.looks().by(READER));
    this.asker = asker;
    this.behind = behind;
    this.files = behind.files();
  }

  /** A new door into a store. Any thread. */
  public static StageFiles open(Behind behind, Executor executor, StageLimits limits) {
    FileManager files = behind.files();
    StageDoor door = new StageDoor(files.dispatcher(), executor, limits);
    return new DoorStageFiles(new Asker(door, 0), behind);
  }

  // ------------------------------------------------------------------ the door

  @Override
  public StageFiles within(Duration deadline) {
    Objects.requireNonNull(deadline, "deadline");
    Limits.require(
        deadline.isPositive(), "deadline is " + deadline + ", must be more than nothing");
    Asker hurried = new Asker(asker.door(), Math.min(Limits.nanos(deadline), LONGEST_NANOS));
    return new DoorStageFiles(hurried, behind);
  }

  @Override
  public CompletionStage<Void> whenRoom() {
    return asker.door().hasRoom() ? CompletableFuture.completedFuture(null) : asker.run(() -> {});
  }

  @Override
  public StageLimits limits() {
    return asker.door().limits();
  }

  @Override
  public int inside() {
    return asker.door().inside();
  }

  @Override
  public int waiting() {
    return asker.door().waiting();
  }

  @Override
  public void close() {
    asker.door().close();
  }

  // ------------------------------------------------------------------ changes

  @Override
  public CompletionStage<StagedContent> stage(Flow.Publisher<ByteBuffer> content) {
    Objects.requireNonNull(content, "content");
    CompletableFuture<StagedContent> whole = asker.whole();
    ContentSink.drain(
        content,
        asker.<ContentStager, ContentSink.Target<StagedContent>>open(
            port -> StagedSink.begin(files, port),
            stager -> new StagedSink(asker, stager),
            ContentStager::discard),
        whole);
    return whole;
  }

  @Override
  public CompletionStage<Void> discard(StagedContent content) {
    Objects.requireNonNull(content, "content");
    return asker.run(content::discard);
  }

  @Override
  public Flow.Publisher<Listing.Change> changes(CharSequence directory) {
    Objects.requireNonNull(directory, "directory");
    return new ChangePublisher(
        StorePath.parse(directory), files, behind.watched(), new StageSignals(asker));
  }

  // ------------------------------------------------------------------ transactions and snapshots

  @Override
  public CompletionStage<StageTransaction> begin() {
    return asker.<FileTransaction, StageTransaction>open(
        files::begin,
        begun -> new DoorStageTransaction(asker, begun, looks()),
        FileTransaction::rollback);
  }

  @Override
  public <T> CompletionStage<T> transact(
      Function<? super StageTransaction, ? extends CompletionStage<T>> body) {
    Objects.requireNonNull(body, "body");
    return new Transacting<T>(
            asker, this::begin, behind.config().limits().transactions().retry(), body)
        .start();
  }

  @Override
  public CompletionStage<StageSnapshot> snapshot() {
    return reading(files::snapshot);
  }

  @Override
  public CompletionStage<StageSnapshot> snapshot(String name) {
    Objects.requireNonNull(name, "name");
    return reading(port -> files.snapshot(name, port));
  }

  private CompletionStage<StageSnapshot> reading(Consumer<CompletionPort<FileSnapshot>> taking) {
    return asker.<FileSnapshot, StageSnapshot>open(
        taking, taken -> new DoorStageSnapshot(asker, taken, looks()), FileSnapshot::close);
  }

  @Override
  public CompletionStage<NamedSnapshot> createSnapshot(String name) {
    Objects.requireNonNull(name, "name");
    return asker.ask(port -> files.createSnapshot(name, port));
  }

  @Override
  public CompletionStage<NamedSnapshotList> snapshots() {
    return asker.ask(files::snapshots);
  }

  @Override
  public CompletionStage<Void> dropSnapshot(String name) {
    Objects.requireNonNull(name, "name");
    return asker.tell(port -> files.dropSnapshot(name, port));
  }

  // ------------------------------------------------------------------ the store

  @Override
  public CompletionStage<Void> flush() {
    return asker.tell(files::flush);
  }

  @Override
  public CompletionStage<Void> checkpoint() {
    return asker.tell(files::checkpoint);
  }

  @Override
  public CompletionStage<StoreInfo> info() {
    return asker.ask(
        port -> files.dispatcher().complete(port, Completion.done(files.store().info())));
  }

  @Override
  public CompletionStage<FileManagerInfo> fileManagerInfo() {
    return asker.ask(
        port -> files.dispatcher().complete(port, Completion.done(files.fileManagerInfo())));
  }

  @Override
  public UpcallConfig config() {
    return behind.config();
  }
}
