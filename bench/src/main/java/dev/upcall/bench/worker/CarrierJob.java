package dev.upcall.bench.worker;

import dev.upcall.Engine;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.bench.composition.FacadeReads;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.job.Blocks;
import dev.upcall.bench.job.DeviceChoice;
import dev.upcall.bench.job.Job;
import dev.upcall.bench.job.Tally;
import dev.upcall.bench.job.ThreadedLoop;
import dev.upcall.bench.workload.ContextSwitches;
import dev.upcall.bench.workload.ManyFiles;
import dev.upcall.locks.LockWait;
import dev.upcall.threads.files.ThreadUpcall;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.atomic.LongAdder;
import jdk.jfr.consumer.RecordingStream;
import jdk.management.VirtualThreadSchedulerMXBean;

/**
 * Threads that read small files from the device under the engine of threads, and what the scheduler
 * of virtual threads does meanwhile: it adds carriers while some wait in a system call. Options:
 * {@code volume} (made), {@code files}, {@code cap}, {@code depth}, {@code engine}.
 */
final class CarrierJob implements Job.Timed {
  private final ThreadUpcall store;
  private final FacadeReads reads;
  private final VirtualThreadSchedulerMXBean scheduler =
      ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class);
  private final RecordingStream events = new RecordingStream();
  private final LongAdder pinned = new LongAdder();

  CarrierJob(Fields options) throws IOException, InterruptedException {
    Engine engine = Engine.valueOf(options.text("engine"));
    UpcallConfig config =
        UpcallConfig.DEFAULT
            .withMemoryBytes(UpcallConfig.MIN_MEMORY_BYTES)
            .withCapBytes(options.number("cap"))
            .withEngine(engine);
    store =
        (ThreadUpcall)
            Upcall.create(Path.of(options.text("volume")), new DeviceChoice(options).in(config));
    long files = options.number("files");
    ManyFiles.load(store, files, Blocks.BYTES);
    store.checkpoint();
    int depth = (int) options.number("depth");
    ThreadedLoop threads =
        engine == Engine.VIRTUAL ? ThreadedLoop.virtual(depth) : ThreadedLoop.platform(depth);
    reads = new FacadeReads(store, ManyFiles.names(files), Blocks.BYTES, threads);
    events.enable("jdk.VirtualThreadPinned").withoutThreshold();
    events.onEvent("jdk.VirtualThreadPinned", event -> pinned.increment());
    events.startAsync();
  }

  @Override
  public Tally run(long nanos) throws IOException, InterruptedException {
    long switches = ContextSwitches.ofThisProcess();
    long pinnedBefore = pinned.sum();
    long waitedNanos = waitedNanos();
    Tally tally = reads.run(nanos);
    double done = Math.max(1, tally.units());
    return tally.remark(
        "carriers=%d parallelism=%d pinned=%d context-switches=%.2f lock-wait-us=%.2f most-waited=%s",
        scheduler.getPoolSize(),
        scheduler.getParallelism(),
        pinned.sum() - pinnedBefore,
        (ContextSwitches.ofThisProcess() - switches) / done,
        (waitedNanos() - waitedNanos) / done / 1e3,
        mostWaited());
  }

  private long waitedNanos() {
    return store.lockWaits().stream().mapToLong(LockWait::waitedNanos).sum();
  }

  private String mostWaited() {
    return store.lockWaits().stream()
        .filter(lock -> lock.waitedNanos() > 0)
        .max(Comparator.comparingLong(LockWait::waitedNanos))
        .map(most -> most.lock().name())
        .orElse("none");
  }

  @Override
  public void close() {
    events.close();
    reads.close();
    store.close();
  }
}
