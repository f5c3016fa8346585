package dev.upcall.bench.worker;

import dev.upcall.Engine;
import dev.upcall.FsmUpcall;
import dev.upcall.LinkPolicy;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.bench.composition.FacadeReads;
import dev.upcall.bench.composition.OwnThreadReads;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.job.DeviceChoice;
import dev.upcall.bench.job.Job;
import dev.upcall.bench.job.Tally;
import dev.upcall.bench.job.ThreadedLoop;
import dev.upcall.bench.workload.ManyFiles;
import dev.upcall.bench.workload.StoreCounts;
import dev.upcall.fsm.meter.DispatcherMetrics;
import dev.upcall.fsm.meter.DistributionSnapshot;
import dev.upcall.fsm.meter.StageTimes;
import dev.upcall.threads.files.ThreadUpcall;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Open, read and close of small files, each stamped at every stage of its way. Options: {@code
 * volume} (of a {@link LoadJob}), {@code files}, {@code bytes} (of each), {@code side}: {@code
 * async} (an application on a thread of its own), {@code threads} or {@code virtual} (the engine of
 * threads, called from as many as there are in flight). An order says {@code in-flight}, {@code
 * memory} (bytes) and {@code warm} (whether all are read when the store is opened; else their
 * metadata only); the store is opened anew when it says another memory.
 *
 * <p>The remarks of a run: {@code requests}, of them {@code io} that asked the disk, {@code
 * skipped}, {@code residual} (the worst of all, microseconds), {@code total} and the stages, each
 * as mean/median/99th percentile in microseconds; with {@code async} of the dispatcher's drains the
 * mean {@code batch}, {@code drain} (microseconds), {@code before} and {@code after} (upcalls in
 * its queue).
 */
final class StagesJob implements Job {
  private final Path volume;
  private final UpcallConfig config;
  private final DeviceChoice device;
  private final boolean virtual;
  private final List<StorePath> paths;
  private final List<String> names;
  private final int bytesEach;
  private @Nullable Upcall store;
  private long memoryBytes;

  StagesJob(Fields options) {
    String side = options.text("side");
    volume = Path.of(options.text("volume"));
    virtual = side.equals("virtual");
    paths = ManyFiles.paths(options.number("files"));
    names = ManyFiles.names(options.number("files"));
    bytesEach = (int) options.number("bytes");
    device = new DeviceChoice(options);
    config =
        UpcallConfig.DEFAULT.withEngine(
            switch (side) {
              case "async" -> Engine.FSM;
              case "threads" -> Engine.THREADS;
              case "virtual" -> Engine.VIRTUAL;
              default -> throw new IllegalArgumentException("no such side: " + side);
            });
  }

  private Upcall store(Fields order) {
    Upcall before = store;
    if (before != null && memoryBytes == order.number("memory")) {
      return before;
    }
    close();
    memoryBytes = order.number("memory");
    Upcall now = Upcall.open(volume, device.in(config.withMemoryBytes(memoryBytes)));
    store = now;
    boolean warm = Boolean.parseBoolean(order.text("warm"));
    for (int file = 0; file < names.size(); file++) {
      String path = names.get(file);
      if (warm) {
        ManyFiles.check(file, bytesEach, now.readAllBytes(path));
      } else {
        now.stat(path, LinkPolicy.FOLLOW);
      }
    }
    return now;
  }

  @Override
  public Tally run(Fields order) throws IOException, InterruptedException {
    Upcall now = store(order);
    int inFlight = (int) order.number("in-flight");
    long nanos = order.number("millis") * 1_000_000;
    return now instanceof ThreadUpcall threads
        ? call(threads, inFlight, nanos)
        : request(now.fsm(), inFlight, nanos);
  }

  private Tally request(FsmUpcall store, int inFlight, long nanos)
      throws IOException, InterruptedException {
    try (OwnThreadReads reads = new OwnThreadReads(store, paths, bytesEach, inFlight)) {
      reads.stages().stampEvery(1);
      DispatcherMetrics before = StoreCounts.metrics(store);
      Tally tally = reads.run(nanos);
      DispatcherMetrics after = StoreCounts.metrics(store);
      StageTimes times = reads.stages().times();
      return tally.remark(
          common(times)
              + " requested="
              + cell(times.untilRequested())
              + " started="
              + cell(times.untilStarted())
              + " finished="
              + cell(times.untilFinished())
              + " posted="
              + cell(times.untilPosted())
              + " handled="
              + cell(times.untilHandled())
              + drains(before, after));
    }
  }

  private Tally call(ThreadUpcall threads, int inFlight, long nanos)
      throws IOException, InterruptedException {
    ThreadedLoop callers =
        virtual ? ThreadedLoop.virtual(inFlight) : ThreadedLoop.platform(inFlight);
    try (FacadeReads reads = new FacadeReads(threads, names, bytesEach, callers)) {
      threads.stages().stampEvery(1);
      Tally tally = reads.run(nanos);
      StageTimes times = threads.stages().times();
      return tally.remark(
          common(times)
              + " requested="
              + cell(times.untilRequested())
              + " running="
              + cell(times.untilFinished())
              + " returned="
              + cell(times.untilHandled()));
    }
  }

  private static String common(StageTimes times) {
    return String.format(
        Locale.ROOT,
        "requests=%d io=%d skipped=%d residual=%.3f total=%s",
        times.requests(),
        times.withIo(),
        times.skipped(),
        times.residualNanosMax() / 1e3,
        cell(times.total()));
  }

  private static String cell(DistributionSnapshot nanos) {
    return String.format(
        Locale.ROOT,
        "%.3f/%.3f/%.3f",
        nanos.mean() / 1e3,
        nanos.quantile(0.5) / 1e3,
        nanos.quantile(0.99) / 1e3);
  }

  private static String drains(DispatcherMetrics before, DispatcherMetrics after) {
    double drains = Math.max(1, after.batches().count() - before.batches().count());
    return String.format(
        Locale.ROOT,
        " batch=%.3f drain=%.3f before=%.3f after=%.3f",
        (after.batches().sum() - before.batches().sum()) / drains,
        (after.turnNanosSpread().sum() - before.turnNanosSpread().sum()) / 1e3 / drains,
        (after.queueBefore().sum() - before.queueBefore().sum()) / drains,
        (after.queueAfter().sum() - before.queueAfter().sum()) / drains);
  }

  @Override
  public void close() {
    Upcall open = store;
    store = null;
    if (open != null) {
      open.close();
    }
  }
}
