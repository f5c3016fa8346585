package dev.upcall.bench.workload;

import dev.upcall.FsmUpcall;
import dev.upcall.Upcall;
import dev.upcall.fsm.meter.DispatcherMetrics;
import dev.upcall.fsm.meter.DispatcherMetrics.Culprit;
import dev.upcall.fsm.meter.DistributionSnapshot;
import dev.upcall.locks.LockWait;
import dev.upcall.threads.files.ThreadUpcall;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
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
public record StoreCounts(
    long switches, long readBytes, int threads, long waitedNanos, long upcalls, long turns) {
  /** A look. */
  public static StoreCounts of(Upcall store) throws IOException {
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
  public static DispatcherMetrics metrics(FsmUpcall store) {
    CompletableFuture<DispatcherMetrics> taken = new CompletableFuture<>();
    store.execute(() -> taken.complete(store.fileManager().dispatcher().metrics()));
    return taken.join();
  }

  /**
   * What held the store's thread between two looks, in the form of {@link
   * dev.upcall.bench.harness.Fields}: turns of more than that many microseconds, and upcalls that
   * stalled it, with the class that stalled it longest.
   */
  public static String longTurns(DispatcherMetrics before, DispatcherMetrics after) {
    Map<String, Culprit> known = new HashMap<>();
    before.culprits().forEach(culprit -> known.put(culprit.name(), culprit));
    long stalls = 0;
    Culprit worst = new Culprit("nobody", 0, 0);
    for (Culprit culprit : after.culprits()) {
      Culprit old = known.getOrDefault(culprit.name(), new Culprit(culprit.name(), 0, 0));
      long count = culprit.stalls() - old.stalls();
      long tookNanos = culprit.tookNanos() - old.tookNanos();
      stalls += count;
      if (tookNanos > worst.tookNanos()) {
        worst = new Culprit(culprit.name(), count, tookNanos);
      }
    }
    return String.format(
        Locale.ROOT,
        "turnsOver250=%d turnsOver1000=%d turnsOver4000=%d stalls=%d worst=%s:%d:%.1fms",
        over(250, before, after),
        over(1000, before, after),
        over(4000, before, after),
        stalls,
        worst.name().replace(' ', '_'),
        worst.stalls(),
        worst.tookNanos() / 1e6);
  }

  private static long over(long micros, DispatcherMetrics before, DispatcherMetrics after) {
    return over(micros, after.turnNanosSpread()) - over(micros, before.turnNanosSpread());
  }

  private static long over(long micros, DistributionSnapshot turns) {
    return turns.count() - turns.countUpTo(micros * 1000);
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
  public StoreCounts since(StoreCounts before) {
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
  public String describe(long units, double responseNanos) {
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
