package dev.upcall.bench.blocks;

import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Latencies;
import dev.upcall.bench.harness.Role;
import dev.upcall.bench.harness.Running;
import dev.upcall.bench.harness.Sample;
import dev.upcall.bench.host.Programs;
import dev.upcall.specweb.document.JsonTree;
import java.io.IOException;
import java.util.List;

/** An entrant that is fio, which plays a log as fast as it can, perhaps under a scheduler. */
final class FioReplay implements Running {
  private static final long LIMIT_SECONDS = 600;
  private static final int SECTOR_BYTES = 512;
  private static final String ANY = "";

  private final Lab lab;
  private final RecordedTrace trace;
  private final int depth;
  private final String program = Programs.require("fio", "fio");
  private final KernelScheduler scheduler;
  private final String name;

  private FioReplay(Lab lab, RecordedTrace trace, int depth, String name) throws IOException {
    this.lab = lab;
    this.trace = trace;
    this.depth = depth;
    this.name = name;
    this.scheduler = KernelScheduler.below(lab.scratch());
    if (!name.equals(ANY)) {
      scheduler.check(name);
    }
  }

  /** One by one under whatever scheduler the device has, by the time of {@link DeviceTime}. */
  static Entrant byDevice(RecordedTrace trace) {
    return new Entrant("fio", Role.PEER, lab -> new FioReplay(lab, trace, 1, ANY));
  }

  /** Under one of the kernel's. */
  static Entrant under(String scheduler, RecordedTrace trace, int depth) {
    return new Entrant(
        "fio, kernel's " + scheduler,
        Role.PEER,
        lab -> new FioReplay(lab, trace, depth, scheduler));
  }

  @Override
  public Sample measure() throws IOException, InterruptedException {
    if (name.equals(ANY)) {
      return DeviceTime.of(lab, this::play);
    }
    try (KernelScheduler.Set _ = scheduler.set(name)) {
      return play();
    }
  }

  private Sample play() throws IOException, InterruptedException {
    String report =
        lab.run(
            "fio",
            List.of(
                program,
                "--name=replay",
                "--read_iolog=" + trace.iolog(),
                "--replay_no_stall=1",
                "--replay_redirect=" + trace.target(),
                "--direct=1",
                "--ioengine=io_uring",
                "--iodepth=" + depth,
                "--lat_percentiles=1",
                "--output-format=json"),
            LIMIT_SECONDS);
    return parse(report, trace, depth);
  }

  /**
   * The sample of a report.
   *
   * @throws IOException if fio has not moved what the trace has; of the last requests, which are
   *     under way when its log ends, it counts no bytes
   */
  static Sample parse(String text, RecordedTrace trace, int depth) throws IOException {
    int begin = text.indexOf('{');
    JsonTree report =
        begin < 0
            ? new JsonTree(null)
            : JsonTree.parse(text.substring(begin, text.lastIndexOf('}') + 1));
    if (report.get("jobs").elements().isEmpty()) {
      throw new IOException("no report of fio: " + text.lines().findFirst().orElse("nothing"));
    }
    JsonTree job = report.get("jobs").elements().getFirst();
    JsonTree reads = job.get("read");
    JsonTree writes = job.get("write");
    long played = (long) (reads.get("total_ios").number() + writes.get("total_ios").number());
    long moved =
        (long) (reads.get("io_bytes").number() + writes.get("io_bytes").number()) / SECTOR_BYTES;
    boolean isWhole = depth > 1 || moved == trace.sectors();
    if (played != trace.requests() || !isWhole) {
      throw new IOException(
          "fio played %,d requests of %,d sectors, the trace has %,d of %,d"
              .formatted(played, moved, trace.requests(), trace.sectors()));
    }
    // With what handing over took, as ours have it: fio's "clat" begins behind that.
    JsonTree percentiles = reads.get("lat_ns").get("percentile");
    double millis = Math.max(reads.get("runtime").number(), writes.get("runtime").number());
    return new Sample(
        played,
        millis / 1e3,
        Double.NaN,
        Latencies.of(
            percentiles.get("50.000000").number() / 1e3,
            percentiles.get("99.000000").number() / 1e3));
  }

  @Override
  public void close() {
    // Each sample's process has ended by itself.
  }
}
