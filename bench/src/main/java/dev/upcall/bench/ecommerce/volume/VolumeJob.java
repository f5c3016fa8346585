package dev.upcall.bench.ecommerce.volume;

import dev.upcall.FileManager;
import dev.upcall.FsmUpcall;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.bench.ecommerce.Workload;
import dev.upcall.bench.ecommerce.machine.Clientele;
import dev.upcall.bench.ecommerce.machine.ServerConfig;
import dev.upcall.bench.ecommerce.machine.Times;
import dev.upcall.bench.ecommerce.machine.Variant;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.job.Job;
import dev.upcall.bench.job.Tally;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.config.TrafficConfig;
import dev.upcall.io.Disk;
import dev.upcall.io.IoClass;
import dev.upcall.io.trace.BlockProfile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A workload over files of a real volume: clients that do not think, on the store's thread, one
 * read or changed page after the other. The volume is made, closed and opened again, so that
 * nothing of it is in memory when the first run begins. An order is {@code millis=N}, and with
 * {@code check=1} every page is read back behind it. Options: {@code volume} (made), {@code
 * workload} and {@code mix} (by their numbers), {@code clients}, {@code part} (tables have one of
 * so many of the paper's rows).
 */
public final class VolumeJob implements Job {
  /** As much faster as nobody thinks, so that changed pages are written in short runs, too. */
  private static final StoreServer.Tempo TEMPO =
      new StoreServer.Tempo(new Times(0, 0, 0, 0), TimeUnit.SECONDS.toNanos(1));

  private static final long SEED = 1;
  private static final long END_SECONDS = 300;
  private static final double MIB = 1 << 20;

  private final int clients;
  private final FsmUpcall store;
  private final TableFiles files;
  private final StoreServer server;
  private final BlockProfile opened;

  /** Never done; fails with what goes wrong first. */
  private final CompletableFuture<Void> failed = new CompletableFuture<>();

  /** Makes the volume. */
  public VolumeJob(Fields options) throws IOException, InterruptedException {
    Workload.Kind kind = Workload.Kind.values()[(int) options.number("workload")];
    double scale = 1.0 / options.number("part");
    Workload workload = kind.load(kind.mixes().get((int) options.number("mix")), scale);
    clients = (int) options.number("clients");
    Path volume = Path.of(options.text("volume"));
    long memoryBytes =
        Math.max(UpcallConfig.MIN_MEMORY_BYTES, SimulatedStore.memoryBytes(workload));
    UpcallConfig config =
        UpcallConfig.DEFAULT
            .withMemoryBytes(memoryBytes)
            .withCapBytes(capBytes(workload))
            .withTraffic(TrafficConfig.NONE.withMeasures(true));
    load(volume, config, workload);
    store = Upcall.open(volume, config).fsm();
    FileManager manager = store.fileManager();
    files = ask(store, port -> TableFiles.open(manager, workload, port));
    ServerConfig plan = ServerConfig.of(kind, Variant.STANDARD, scale);
    StoreServer.Setup setup = new StoreServer.Setup(workload, plan, TEMPO, memoryBytes, SEED);
    Trouble trouble = new Trouble(what -> failed.completeExceptionally(new IOException(what)));
    server = make(() -> new StoreServer(manager.dispatcher(), files, setup, trouble));
    opened = make(() -> profile(manager));
  }

  /** Makes something on the store's thread. */
  private <T> T make(Supplier<T> what) throws IOException {
    return ask(
        store,
        port -> store.fileManager().dispatcher().complete(port, Completion.done(what.get())));
  }

  private static long capBytes(Workload workload) {
    long tables = workload.endPage() * PageContent.BYTES;
    return Math.max(UpcallConfig.MIN_CAP_BYTES, SimulatedStore.VOLUME_TIMES * tables);
  }

  private static void load(Path volume, UpcallConfig config, Workload workload) throws IOException {
    long logBlocks = config.capBytes() / SimulatedStore.LOG_PART / Disk.BLOCK_BYTES;
    try (FsmUpcall made = Upcall.create(volume, config).fsm()) {
      TableFiles loaded =
          ask(made, port -> TableFiles.load(made.fileManager(), workload, logBlocks, port));
      VolumeJob.<Unit>ask(made, loaded::close);
      made.checkpoint();
    }
  }

  /** Asks on the store's thread and waits for the answer. */
  private static <T> T ask(FsmUpcall store, Consumer<CompletionPort<T>> what) throws IOException {
    return switch (store.<T>await(what)) {
      case Completion.Done<T>(T value) -> value;
      case Completion.Failed<T> refused -> throw new IOException(refused.failure().message());
    };
  }

  @Override
  public Tally run(Fields order) throws IOException, InterruptedException {
    Tally tally = new Tally();
    Clientele clientele = server.clientele();
    store.execute(
        () -> {
          long now = server.dispatcher().clock().monotonicNanos();
          clientele.count(now, took -> tally.add(1, took, System.nanoTime()));
          clientele.come(server, clients);
        });
    await(failed, order.number("millis"), TimeUnit.MILLISECONDS);
    CompletableFuture<Void> over = new CompletableFuture<>();
    store.execute(
        () -> {
          tally.end();
          clientele.leave(
              () -> {
                tally.remark(describe(clientele));
                if (order.values().containsKey("check")) {
                  server.check(() -> over.complete(null));
                } else {
                  over.complete(null);
                }
              });
        });
    if (!await(CompletableFuture.anyOf(over, failed), END_SECONDS, TimeUnit.SECONDS)) {
      throw new IOException("after " + END_SECONDS + " s the last interactions have not ended");
    }
    return tally;
  }

  /** Waits for a stage; whether it is done, and not the time over. */
  private static boolean await(CompletableFuture<?> stage, long time, TimeUnit unit)
      throws IOException, InterruptedException {
    try {
      stage.get(time, unit);
      return true;
    } catch (TimeoutException over) {
      return false;
    } catch (ExecutionException wrong) {
      throw new IOException(Objects.requireNonNull(wrong.getCause()).getMessage(), wrong);
    }
  }

  /** The measures since the opening. On the store's thread. */
  private String describe(Clientele clientele) {
    BlockProfile profile = profile(store.fileManager());
    long written = profile.writes().blocks();
    double logged = logBlocks(profile) - logBlocks(opened);
    return String.format(
        Locale.ROOT,
        "read-share=%.3f read-sequentiality=%.3f write-sequentiality=%.3f read-stream-sectors=%.1f"
            + " write-stream-sectors=%.1f interarrival-us=%.1f footprint-MiB=%.1f"
            + " given-MiB=%.2f written-MiB=%.2f log-share-of-writes=%.3f points-off-the-mix=%.2f",
        profile.readShareOfSectors(),
        profile.reads().sequentiality(),
        profile.writes().sequentiality(),
        profile.reads().meanStreamSectors(),
        profile.writes().meanStreamSectors(),
        profile.meanInterarrivalNanos() / 1e3,
        profile.pages().footprint() * Disk.BLOCK_BYTES / MIB,
        server.givenBytes() / MIB,
        written / MIB * Disk.BLOCK_BYTES,
        logged / Math.max(1, written - opened.writes().blocks()),
        clientele.selfCheck().worstPoints());
  }

  private static BlockProfile profile(FileManager manager) {
    return Objects.requireNonNull(manager.store().metrics().traffic().profile());
  }

  /** Of the log, which is read when a store is opened. */
  private static long logBlocks(BlockProfile profile) {
    BlockProfile.Share log = profile.classes().get(IoClass.LOG);
    return log == null ? 0 : log.blocks();
  }

  @Override
  public void close() throws IOException {
    try {
      VolumeJob.<Unit>ask(store, files::close);
    } finally {
      store.close();
    }
  }
}
