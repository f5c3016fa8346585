package dev.upcall.bench.worker;

import dev.upcall.bench.harness.Fields;
import dev.upcall.fileman.Engine;
import dev.upcall.fileman.Upcall;
import dev.upcall.fileman.UpcallConfig;
import dev.upcall.fileman.blocking.ThreadUpcall;
import dev.upcall.fsm.DispatcherMetrics;
import dev.upcall.io.DiskKind;
import dev.upcall.locks.LockWait;
import dev.upcall.specweb.FileSet;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/**
 * {@link Cycles} over a volume that holds a SPECweb96-style file set. Options: {@code volume},
 * {@code directories}, {@code memory} (bytes), {@code disk}, {@code disk-threads}, {@code rewrite}
 * (per cent), {@code warm} (whether all files are read once), {@code side}: {@code shared}, {@code
 * own} (state machines), {@code threads} or {@code virtual} (the engine of threads, called from
 * platform or virtual threads). An order says {@code in-flight}.
 */
final class CycleJob implements Worker.Job {
  private final Upcall store;
  private final Cycles cycles;
  private String remarks = "";

  CycleJob(Fields options) {
    String side = options.text("side");
    UpcallConfig config =
        UpcallConfig.DEFAULT
            .withMemoryBytes(options.number("memory"))
            .withDisk(DiskKind.valueOf(options.text("disk")))
            .withDiskThreads((int) options.number("disk-threads"))
            .withEngine(engineOf(side));
    store = Upcall.open(Path.of(options.text("volume")), config);
    FileSet set = new FileSet((int) options.number("directories"));
    FileSetDraws.Table table = FileSetDraws.Table.of(set, (int) options.number("rewrite"));
    if (Boolean.parseBoolean(options.text("warm"))) {
      set.entries().forEach(entry -> store.readAllBytes("/" + entry.path()));
    }
    cycles =
        switch (side) {
          case "shared" -> new SharedCycles(store, table);
          case "own" -> new OwnCycles(store, table);
          case "threads" -> ThreadCycles.platform(store, table);
          default -> ThreadCycles.virtual(store, table);
        };
  }

  private static Engine engineOf(String side) {
    return switch (side) {
      case "shared", "own" -> Engine.FSM;
      case "threads" -> Engine.THREADS;
      case "virtual" -> Engine.VIRTUAL;
      default -> throw new IllegalArgumentException("no such side: " + side);
    };
  }

  @Override
  public Tally run(long nanos) throws IOException, InterruptedException {
    return run(1, nanos);
  }

  @Override
  public Tally run(Fields order) throws IOException, InterruptedException {
    return run((int) order.number("in-flight"), order.number("millis") * 1_000_000);
  }

  private Tally run(int inFlight, long nanos) throws IOException, InterruptedException {
    cycles.prepare(inFlight);
    Counts before = counts();
    Tally tally = cycles.run(nanos);
    remarks = counts().since(before, tally);
    return tally;
  }

  @Override
  public String remarks() {
    return remarks;
  }

  @Override
  public void close() {
    cycles.close();
    store.close();
  }

  private Counts counts() throws IOException {
    long waitedNanos = 0;
    long upcalls = 0;
    long turns = 0;
    if (store instanceof ThreadUpcall threads) {
      waitedNanos = threads.lockWaits().stream().mapToLong(LockWait::waitedNanos).sum();
    } else {
      DispatcherMetrics metrics = metrics();
      upcalls = metrics.batches().sum();
      turns = metrics.batches().count();
    }
    return new Counts(
        ContextSwitches.ofThisProcess(), readBytes(), threadCount(), waitedNanos, upcalls, turns);
  }

  private DispatcherMetrics metrics() {
    CompletableFuture<DispatcherMetrics> taken = new CompletableFuture<>();
    store.execute(() -> taken.complete(store.fileManager().dispatcher().metrics()));
    return taken.join();
  }

  /** Bytes that the kernel fetched from a device for this process. */
  private static long readBytes() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/io")).stream()
        .filter(line -> line.startsWith("read_bytes:"))
        .mapToLong(line -> Long.parseLong(line.substring("read_bytes:".length()).strip()))
        .sum();
  }

  private static int threadCount() throws IOException {
    int count = 0;
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
      for (Path _ : threads) {
        count++;
      }
    }
    return count;
  }

  /** What this process has counted until now. */
  private record Counts(
      long switches, long readBytes, int threads, long waitedNanos, long upcalls, long turns) {
    /** The differences to an earlier look, for each cycle of a run. */
    String since(Counts before, Tally tally) {
      double cycles = Math.max(1, tally.units());
      String all =
          String.format(
              Locale.ROOT,
              "context-switches=%.3f disk-KiB=%.2f threads=%d",
              (switches - before.switches) / cycles,
              (readBytes - before.readBytes) / cycles / 1024,
              threads);
      if (turns > 0) {
        return all
            + String.format(
                Locale.ROOT,
                " batch=%.2f",
                (double) (upcalls - before.upcalls) / Math.max(1, turns - before.turns));
      }
      return all
          + String.format(
              Locale.ROOT,
              " lock-wait-share=%.4f",
              (double) (waitedNanos - before.waitedNanos) / Math.max(1, tally.sumNanos()));
    }
  }
}
