package dev.upcall.threads.files;

import static dev.upcall.UpcallException.value;
import static dev.upcall.fileman.blocking.Calls.path;

import dev.upcall.FileHandle;
import dev.upcall.FileManager;
import dev.upcall.FileManagerInfo;
import dev.upcall.FsmUpcall;
import dev.upcall.OpenMode;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.base.Clock;
import dev.upcall.base.SystemClock;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.config.DiskKind;
import dev.upcall.fileman.blocking.Calls;
import dev.upcall.fileman.blocking.DirectoryWatches;
import dev.upcall.fileman.blocking.FileRandomAccess;
import dev.upcall.fileman.blocking.HandleChannel;
import dev.upcall.fileman.blocking.Incarnations;
import dev.upcall.fileman.blocking.LimitList;
import dev.upcall.fileman.blocking.Traffic;
import dev.upcall.fileman.engine.EngineUpcall;
import dev.upcall.fileman.keys.KeyReader;
import dev.upcall.fileman.keys.StoreKeys;
import dev.upcall.fileman.plan.RootDirectory;
import dev.upcall.fsm.wakeup.VirtualThreads;
import dev.upcall.io.BlockDevice;
import dev.upcall.io.Disk;
import dev.upcall.io.seal.Seal;
import dev.upcall.io.trace.BlockTraffic;
import dev.upcall.io.volume.VolumeClaim;
import dev.upcall.io.volume.VolumeSpec;
import dev.upcall.io.volume.Volumes;
import dev.upcall.locks.LockWait;
import dev.upcall.nio.StoreFileSystems;
import dev.upcall.store.Durability;
import dev.upcall.store.Limit;
import dev.upcall.store.StoreInfo;
import dev.upcall.store.VerifyOptions;
import dev.upcall.store.VerifyReport;
import dev.upcall.threads.CallStages;
import dev.upcall.threads.ThreadStore;
import dev.upcall.txn.StoreConfig;
import dev.upcall.txn.StoreOptions;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;

/**
 * A volume and its store for threads that do their own work ({@link ThreadStore}). Writing ranges,
 * checkpoints and numbers go through the machines.
 */
public final class ThreadUpcall extends ThreadChanges implements EngineUpcall {
  private final Calls calls;
  private final ThreadStore store;
  private final FileManager files;
  private final UpcallConfig config;
  private final BlockTraffic traffic;
  private final StoreFileSystems fileSystems;

  /** A store, and what is kept of its requests. */
  private record Kept(ThreadStore store, BlockTraffic traffic) {}

  private ThreadUpcall(
      Calls calls, Kept kept, FileManager files, UpcallConfig config, Clock clock) {
    super(calls, kept.store(), files, config.limits().files(), clock);
    this.calls = calls;
    this.store = kept.store();
    this.traffic = kept.traffic();
    this.files = files;
    this.config = config;
    this.fileSystems =
        new StoreFileSystems(
            this,
            new ThreadFiles(calls.atOnce(), kept.store()),
            new DirectoryWatches(calls.atOnce(), kept.store().machines()),
            calls.name(),
            config.memoryBytes());
    calls.before(fileSystems::settle, fileSystems::ahead);
  }

  /** See {@link Upcall#open}. */
  public static Upcall open(Path volume, UpcallConfig config) {
    BlockDevice device =
        value(
            Volumes.openDevice(
                VolumeSpec.existing(volume, DiskKind.CHANNEL).withReadOnly(config.readOnly())));
    return open(device, config);
  }

  /** As {@link #open(Path, UpcallConfig)}, of a volume that was waited for. */
  public static Upcall open(VolumeClaim claim, UpcallConfig config) {
    return open(value(Volumes.openDevice(VolumeSpec.claimed(claim, DiskKind.CHANNEL))), config);
  }

  /** As {@link #open(Path, UpcallConfig)} on a device, which is closed with the store. */
  static ThreadUpcall open(BlockDevice device, UpcallConfig config) {
    Clock clock = new SystemClock();
    BlockTraffic traffic;
    Seal seal;
    try {
      seal = KeyReader.seal(config.drive().key());
      traffic = Traffic.start(config.drive().traffic(), clock);
    } catch (UpcallException refused) {
      device.close();
      throw refused;
    }
    boolean opened = false;
    try {
      BlockDevice traced = traffic.over(device, clock);
      StoreOptions options = options(config, clock).withTraffic(traffic).withSeal(seal);
      BlockDevice whole = seal == null ? traced : seal.over(traced);
      ThreadUpcall upcall = open(whole, options, config, clock);
      VirtualThreads.prepare();
      opened = true;
      return upcall;
    } finally {
      if (!opened) {
        traffic.close();
      }
    }
  }

  private static StoreOptions options(UpcallConfig config, Clock clock) {
    return new StoreOptions(
            StoreConfig.ofMemory(config.memoryBytes())
                .withLoss(config.limits().loss())
                .withPlaces(config.limits().places()),
            config.capBytes() / Disk.BLOCK_BYTES,
            0,
            Incarnations.random(clock))
        .withReadOnly(config.readOnly())
        .withFirstLook(RootDirectory.firstLook());
  }

  private static ThreadUpcall open(
      BlockDevice device, StoreOptions options, UpcallConfig config, Clock clock) {
    ThreadStore store = value(ThreadStore.open(device, options, clock));
    try {
      FileManager files =
          value(
              store.amongMachines(
                  port -> FileManager.open(store.machines(), config.limits().files(), port)));
      Calls calls = new Calls(device.name(), store.blocking());
      return new ThreadUpcall(calls, new Kept(store, options.traffic()), files, config, clock);
    } catch (UpcallException failed) {
      value(store.close());
      throw failed;
    }
  }

  // ------------------------------------------------------------------ through the machines

  @Override
  public RandomAccess open(CharSequence path, OpenMode mode) {
    Objects.requireNonNull(mode, "mode");
    StorePath parsed = path(path);
    FileHandle handle = calls.call(port -> files.open(parsed, mode, port));
    return new ThreadRandomAccess(calls, store, new FileRandomAccess(calls, handle));
  }

  @Override
  public SeekableByteChannel newByteChannel(CharSequence path, OpenMode mode) {
    return new HandleChannel(open(path, mode));
  }

  @Override
  public void checkpoint() {
    calls.<Unit>call(store.machines()::checkpoint);
  }

  @Override
  public StoreInfo info() {
    return calls.call(
        port -> files.dispatcher().complete(port, Completion.done(store.machines().info())));
  }

  @Override
  public FileManagerInfo fileManagerInfo() {
    return calls.call(
        port -> files.dispatcher().complete(port, Completion.done(files.fileManagerInfo())));
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

  /**
   * {@inheritDoc}
   *
   * <p>For numbers: the calling thread asks for files by itself.
   */
  @Override
  public <T> Completion<T> amongMachines(BiConsumer<FileManager, CompletionPort<T>> request) {
    return calls.inside(() -> store.amongMachines(port -> request.accept(files, port)));
  }

  /** How much threads have waited for each lock. */
  public List<LockWait> lockWaits() {
    return store.lockWaits();
  }

  /**
   * Where calls of {@link #readAllBytes} spend their time: the report's table of stages of a
   * synchronous request. Off until asked for.
   */
  public CallStages stages() {
    return store.stages();
  }

  /** Walks the whole structure and reads every byte. */
  VerifyReport verify() {
    return calls.call(
        port -> store.machines().verify(new VerifyOptions(true), (_, _) -> true, port));
  }

  @Override
  public FsmUpcall fsm() {
    throw UpcallException.of(
        new Failure.Invalid(
            ("snapshots, transactions, asynchronous requests and programs on the store's own thread"
                    + " need the fsm engine, and %s was opened with engine %s; open it with"
                    + " engine=fsm")
                .formatted(calls.name(), config.engine())));
  }

  @Override
  public FileSystem fileSystem(Durability durability) {
    return fileSystems.of(durability);
  }

  @Override
  public void close() {
    try {
      fileSystems.close();
    } finally {
      closeStore();
    }
  }

  private void closeStore() {
    if (!calls.close(store::stopWaiting)) {
      return;
    }
    closeReads();
    try {
      value(store.<Unit>amongMachines(files::close));
    } finally {
      try {
        value(store.close());
      } finally {
        traffic.close();
      }
    }
  }
}
