package dev.upcall.bench.worker;

import dev.upcall.FsmUpcall;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.job.ClosedLoop;
import dev.upcall.bench.job.DeviceChoice;
import dev.upcall.bench.job.Job;
import dev.upcall.bench.job.Tally;
import dev.upcall.bench.workload.RandomReads;
import dev.upcall.config.DiskKind;
import java.nio.file.Path;

/**
 * {@link RandomReads} for a time. Options: {@code volume}, {@code file}, {@code memory} (bytes),
 * {@code disk}, {@code depth}, those of {@link DeviceChoice}.
 */
final class ReadJob implements Job.Timed {
  private final FsmUpcall store;
  private final int depth;
  private final RandomReads reads;

  ReadJob(Fields options) {
    UpcallConfig config =
        UpcallConfig.DEFAULT
            .withMemoryBytes(options.number("memory"))
            .withDisk(DiskKind.valueOf(options.text("disk")));
    Path volume = Path.of(options.text("volume"));
    store = Upcall.open(volume, new DeviceChoice(options).in(config)).fsm();
    depth = (int) options.number("depth");
    reads = RandomReads.open(store, options.text("file"));
  }

  @Override
  public Tally run(long nanos) {
    return ClosedLoop.run(store::execute, depth, nanos, reads::chain);
  }

  @Override
  public void close() {
    reads.close();
    store.close();
  }
}
