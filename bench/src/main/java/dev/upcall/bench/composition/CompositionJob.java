package dev.upcall.bench.composition;

import dev.upcall.FsmUpcall;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.job.Blocks;
import dev.upcall.bench.job.DeviceChoice;
import dev.upcall.bench.job.Job;
import dev.upcall.bench.job.Tally;
import dev.upcall.bench.job.ThreadedLoop;
import dev.upcall.bench.workload.ContextSwitches;
import dev.upcall.bench.workload.ManyFiles;
import dev.upcall.bench.workload.StoreCounts;
import dev.upcall.fsm.meter.DispatcherMetrics;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Open, read and close of small files that are in memory, in a closed loop, by an application that
 * sits beside the store in one of the ways that there are. Options: {@code volume} (made), {@code
 * files}, {@code cap}, {@code depth}, {@code composition}: {@code shared} (on the store's thread),
 * {@code own} (one thread of its own with a passive port), {@code platform} or {@code virtual}
 * (that many threads over the blocking facade).
 */
public final class CompositionJob implements Job.Timed {
  private final FsmUpcall store;
  private final Application application;

  /** A way to sit beside the store. */
  interface Application extends AutoCloseable {
    /** Reads files for a time. */
    Tally run(long nanos) throws IOException, InterruptedException;

    @Override
    void close();
  }

  public CompositionJob(Fields options) throws IOException, InterruptedException {
    UpcallConfig config = UpcallConfig.DEFAULT.withCapBytes(options.number("cap"));
    store =
        Upcall.create(Path.of(options.text("volume")), new DeviceChoice(options).in(config)).fsm();
    long files = options.number("files");
    int depth = (int) options.number("depth");
    ManyFiles.load(store, files, Blocks.BYTES);
    for (long file = 0; file < files; file++) {
      ManyFiles.check(file, Blocks.BYTES, store.readAllBytes(ManyFiles.path(file).toString()));
    }
    application =
        switch (options.text("composition")) {
          case "shared" -> new SharedThreadReads(store, files, depth);
          case "own" -> new OwnThreadReads(store, ManyFiles.paths(files), Blocks.BYTES, depth);
          case "platform" -> facade(files, ThreadedLoop.platform(depth));
          case "virtual" -> facade(files, ThreadedLoop.virtual(depth));
          case String other -> throw new IllegalArgumentException("no such composition: " + other);
        };
  }

  private FacadeReads facade(long files, ThreadedLoop threads) {
    return new FacadeReads(store, ManyFiles.names(files), Blocks.BYTES, threads);
  }

  @Override
  public Tally run(long nanos) throws IOException, InterruptedException {
    DispatcherMetrics before = StoreCounts.metrics(store);
    long switchesBefore = ContextSwitches.ofThisProcess();
    Tally tally = application.run(nanos);
    long switches = ContextSwitches.ofThisProcess() - switchesBefore;
    DispatcherMetrics after = StoreCounts.metrics(store);
    double reads = Math.max(1, tally.units());
    return tally.remark(
        "upcalls=%.2f hand-overs=%.2f context-switches=%.3f",
        (after.upcalls() - before.upcalls()) / reads,
        (after.crossThread() - before.crossThread()) / reads,
        switches / reads);
  }

  @Override
  public void close() {
    application.close();
    store.close();
  }
}
