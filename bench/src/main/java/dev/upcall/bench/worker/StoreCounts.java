package dev.upcall.bench.worker;

import dev.upcall.fileman.FsmUpcall;
import dev.upcall.fileman.Upcall;
import dev.upcall.fileman.blocking.ThreadUpcall;
import dev.upcall.fsm.meter.DispatcherMetrics;
import dev.upcall.locks.LockWait;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/**
 * What this process and its store have counted until now; what was between two looks is their
 * difference.
 *
 * @param switches context switches of all threads
 * @param readBytes what the kernel fetched from a device
 * @param threads of the operating system, now
 * @param waitedNanos that threads have waited for locks; 0 for state machines
 * @param upcalls of the store's thread; 0 for threads
 * @param turns in which they ran
 */
record StoreCounts(
    long switches, long readBytes, int threads, long waitedNanos, long upcalls, long turns) {
  /** A look. */
  static StoreCounts of(Upcall store) throws IOException {
    long waitedNanos = 0;
    long upcalls = 0;
    long turns = 0;
    if (store instanceof ThreadUpcall threads) {
      waitedNanos = threads.lockWaits().stream().mapToLong(LockWait::waitedNanos).sum();
    } else {
      DispatcherMetrics metrics = metrics(store.fsm());
      upcalls = metrics.batches().sum();
      turns = metrics.batches().count();
    }
    return new StoreCounts(
        ContextSwitches.ofThisProcess(),
        bytesFromDevices(),
        threadCount(),
        waitedNanos,
        upcalls,
        turns);
  }

  /** Numbers of a store's thread. */
  static DispatcherMetrics metrics(FsmUpcall store) {
    CompletableFuture<DispatcherMetrics> taken = new CompletableFuture<>();
    store.execute(() -> taken.complete(store.fileManager().dispatcher().metrics()));
    return taken.join();
  }

  private static long bytesFromDevices() throws IOException {
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

  /** What came since an earlier look; threads as they are now. */
  StoreCounts since(StoreCounts before) {
    return new StoreCounts(
        switches - before.switches,
        readBytes - before.readBytes,
        threads,
        waitedNanos - before.waitedNanos,
        upcalls - before.upcalls,
        turns - before.turns);
  }

  /**
   * As figures of a run, in the form of {@link dev.upcall.bench.harness.Fields}.
   *
   * @param units what was done meanwhile
   * @param responseNanos their response times, added up
   */
  String describe(long units, double responseNanos) {
    double each = Math.max(1, units);
    String all =
        String.format(
            Locale.ROOT,
            "context-switches=%.3f disk-KiB=%.2f threads=%d",
            Math.max(0, switches) / each,
            readBytes / each / 1024,
            threads);
    return turns > 0
        ? all + String.format(Locale.ROOT, " batch=%.2f", (double) upcalls / turns)
        : all
            + String.format(
                Locale.ROOT, " lock-wait-share=%.4f", waitedNanos / Math.max(1, responseNanos));
  }
}
