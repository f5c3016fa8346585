package dev.upcall.fileman.blocking;

import dev.upcall.AsyncFiles;
import dev.upcall.FileManager;
import dev.upcall.FileManagerInfo;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.coding.Codecs;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fileman.async.AsyncDoor;
import dev.upcall.fileman.async.DoorAsyncFiles;
import dev.upcall.fileman.engine.EngineUpcall;
import dev.upcall.fileman.keys.KeyReader;
import dev.upcall.fileman.keys.StoreKeys;
import dev.upcall.fileman.plan.RootDirectory;
import dev.upcall.fileman.stage.DoorStageFiles;
import dev.upcall.fsm.Reactor;
import dev.upcall.fsm.wakeup.VirtualThreads;
import dev.upcall.io.Disk;
import dev.upcall.io.schedule.IoPolicyConfig;
import dev.upcall.io.seal.Seal;
import dev.upcall.io.trace.BlockTraffic;
import dev.upcall.io.volume.VolumeClaim;
import dev.upcall.io.volume.VolumeSpec;
import dev.upcall.io.volume.Volumes;
import dev.upcall.stage.StageFiles;
import dev.upcall.stage.StageLimits;
import dev.upcall.store.Limit;
import dev.upcall.store.StoreInfo;
import dev.upcall.txn.Store;
import dev.upcall.txn.StoreConfig;
import dev.upcall.txn.StoreOptions;
import dev.upcall.txn.engine.StoreAssembly;
import dev.upcall.txn.engine.Stores;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** A volume, its store and its file manager on a thread of their own. */
public final class VolumeUpcall extends BlockingFiles implements EngineUpcall {
  private final StoreThread thread;
  private final UpcallConfig config;
  private final Store store;

  private VolumeUpcall(Calls calls, StoreThread thread, UpcallConfig config, FileManager files) {
    super(calls, files, config);
    this.thread = thread;
    this.config = config;
    this.store = files.store();
  }

  /** See {@link Upcall#create}. */
  public static Upcall create(Path volume, UpcallConfig config) {
    return onNewThread(
        volume,
        config,
        thread -> {
          new NewVolume(thread, volume, config).make();
          return open(thread, volume, config);
        });
  }

  /** See {@link Upcall#open}. */
  public static Upcall open(Path volume, UpcallConfig config) {
    return onNewThread(volume, config, thread -> open(thread, volume, config));
  }

  /** As {@link #open(Path, UpcallConfig)}, of a volume that was waited for. */
  public static Upcall open(VolumeClaim claim, UpcallConfig config) {
    return onNewThread(
        claim.path(),
        config,
        thread -> open(thread, VolumeSpec.claimed(claim, config.drive().disk()), config));
  }

  /** See {@link Upcall#restoreFront}. */
  public static void restoreFront(Path volume, UpcallConfig config) {
    VolumeSpec spec = VolumeSpec.existing(volume, config.drive().disk());
    onNewThread(volume, config, thread -> open(thread, spec, config, /* frontLost= */ true))
        .close();
  }

  /** See {@link Upcall#openOrCreate}. */
  public static Upcall openOrCreate(Path volume, UpcallConfig config) {
    return onNewThread(
        volume,
        config,
        thread -> {
          if (NewVolume.isToBeMade(volume, config)) {
            new NewVolume(thread, volume, config).make();
          }
          return open(thread, volume, config);
        });
  }

  @Override
  public void checkpoint() {
    calls().<Unit>call(store::checkpoint);
  }

  @Override
  public StoreInfo info() {
    return calls().call(port -> thread.dispatcher().complete(port, Completion.done(store.info())));
  }

  @Override
  public FileManagerInfo fileManagerInfo() {
    return calls()
        .call(
            port -> thread.dispatcher().complete(port, Completion.done(files().fileManagerInfo())));
  }

  @Override
  public UpcallConfig config() {
    return config;
  }

  @Override
  public List<Limit> limits() {
    return LimitList.of(config, info().capBytes());
  }

  @Override
  public Keys keys() {
    return new StoreKeys(this);
  }

  @Override
  public FileManager fileManager() {
    return files();
  }

  @Override
  public Reactor reactor() {
    return thread.reactor();
  }

  @Override
  public void execute(Runnable upcall) {
    thread.dispatcher().execute(upcall);
  }

  @Override
  public <T> Completion<T> await(Consumer<? super CompletionPort<T>> request) {
    return calls().inside(() -> thread.blocking().await(request));
  }

  @Override
  public <T> Completion<T> amongMachines(BiConsumer<FileManager, CompletionPort<T>> request) {
    return await(port -> request.accept(files(), port));
  }

  @Override
  public AsyncFiles newAsyncFiles() {
    AsyncDoor door = new AsyncDoor(thread.dispatcher(), AsyncFiles.MAX_INSIDE);
    return new DoorAsyncFiles(files(), config, door, looks(), watched());
  }

  @Override
  public StageFiles newStageFiles(Executor executor, StageLimits limits) {
    Objects.requireNonNull(executor, "executor");
    Objects.requireNonNull(limits, "limits");
    return DoorStageFiles.open(
        new DoorStageFiles.Behind(files(), config, looks(), watched()), executor, limits);
  }

  @Override
  public void close() {
    if (thread.dispatcher().isOwner()) {
      throw new IllegalStateException("the store's own thread cannot wait for its end");
    }
    try {
      fileSystems().close();
    } finally {
      closeStore();
    }
  }

  private void closeStore() {
    if (!calls().close(() -> thread.dispatcher().offer(this::stopWaiting))) {
      return;
    }
    try {
      thread.<Unit>await(this::closeReads);
      thread.<Unit>await(files()::close);
      thread.<Unit>await(store::close);
    } finally {
      thread.stop();
    }
  }

  private void stopWaiting() {
    store.stopWaiting();
    thread.dispatcher().heap().stopWaiting(new Failure.Closed(calls().name()));
  }

  private void closeReads(CompletionPort<Unit> port) {
    looks().closeOpen();
    thread.dispatcher().complete(port, Completion.done());
  }

  /** Makes a new volume and leaves it closed. */
  static void make(Path volume, UpcallConfig config) {
    StoreThread thread = new StoreThread("upcall " + volume.getFileName(), config);
    try {
      new NewVolume(thread, volume, config).make();
    } finally {
      thread.stop();
    }
  }

  private interface Opening {
    Upcall open(StoreThread thread);
  }

  /** Refuses to compress what this program cannot. Waits for a library to be loaded, if need be. */
  static void checkCompression(UpcallConfig config) {
    if (!config.readOnly()) {
      Codecs.found()
          .refusesContent(config.limits().content().compression())
          .ifPresent(
              refused -> {
                throw UpcallException.of(refused);
              });
    }
  }

  private static Upcall onNewThread(Path volume, UpcallConfig config, Opening opening) {
    checkCompression(config);
    StoreThread thread = new StoreThread("upcall " + volume.getFileName(), config);
    boolean opened = false;
    try {
      Upcall upcall = opening.open(thread);
      VirtualThreads.prepare();
      opened = true;
      return upcall;
    } finally {
      if (!opened) {
        thread.stop();
      }
    }
  }

  private static Upcall open(StoreThread thread, Path volume, UpcallConfig config) {
    return open(thread, VolumeSpec.existing(volume, config.drive().disk()), config);
  }

  /** Opens a volume on a thread, which its caller ends should that fail. */
  static VolumeUpcall open(StoreThread thread, VolumeSpec volume, UpcallConfig config) {
    return open(thread, volume, config, /* frontLost= */ false);
  }

  private static VolumeUpcall open(
      StoreThread thread, VolumeSpec volume, UpcallConfig config, boolean frontLost) {
    VolumeSpec spec =
        volume.withPoolThreads(config.drive().diskThreads()).withReadOnly(config.readOnly());
    Disk device =
        thread.await(port -> Volumes.open(spec, thread.dispatcher(), thread.reactor(), port));
    Seal seal = KeyReader.seal(config.drive().key());
    // Not before the volume is there: an opening that finds none leaves no trace in the way of the
    // next one, and this one has written nothing yet.
    BlockTraffic traffic = thread.startTraffic(config.drive().traffic());
    Disk traced = traffic.over(device, thread.dispatcher());
    Disk disk =
        StoreAssembly.scheduled(
            seal == null ? traced : seal.over(traced, thread.dispatcher()),
            thread.dispatcher(),
            IoPolicyConfig.parse(config.drive().ioPolicy()));
    StoreOptions options =
        new StoreOptions(
                StoreConfig.ofMemory(config.memoryBytes())
                    .withLoss(config.limits().loss())
                    .withTransactions(config.limits().transactions())
                    .withSnapshots(config.limits().snapshots())
                    .withPlaces(config.limits().places())
                    .withContent(config.limits().content()),
                config.capBytes() / Disk.BLOCK_BYTES,
                0,
                Incarnations.random(thread.dispatcher().clock()))
            .withReadOnly(config.readOnly())
            .withFirstLook(RootDirectory.firstLook())
            .withFrontLost(frontLost)
            .withTraffic(traffic)
            .withSeal(seal);
    // What fails here, and in whatever way, ends the thread, and that lets the volume go. Closing
    // it
    // in order would write a checkpoint, but what cannot be opened is left as it was.
    Store store = thread.await(port -> Stores.open(thread.dispatcher(), disk, options, port));
    FileManager files =
        thread.await(port -> FileManager.open(store, config.limits().files(), port));
    return new VolumeUpcall(
        new Calls(spec.path().toString(), thread.blocking()), thread, config, files);
  }
}
