package dev.upcall.bench.entrant;

import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Latencies;
import dev.upcall.bench.harness.Role;
import dev.upcall.bench.harness.Running;
import dev.upcall.bench.harness.Sample;
import dev.upcall.bench.harness.Warmup;
import dev.upcall.bench.host.ProcessCpu;
import dev.upcall.bench.worker.Worker;
import dev.upcall.bench.worker.WorkerProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** An entrant that is a {@link Worker} process with its own closed loop inside. */
public final class WorkerEntrant implements Running {
  private static final long OPEN_SECONDS = 60;
  private static final long GRACE_SECONDS = 60;
  private static final long ROUND_MILLIS = 1000;
  private static final List<String> TALLY =
      List.of("units", "nanos", "mean", "p50", "p99", "p999", "longest", "peaks", "each");

  private final Lab lab;
  private final WorkerProcess worker;
  private final @Nullable Footprint footprint;
  private long units;
  private String remarks = "";

  private WorkerEntrant(Lab lab, WorkerProcess worker, @Nullable Footprint footprint) {
    this.lab = lab;
    this.worker = worker;
    this.footprint = footprint;
  }

  /** An entrant of a job. */
  public static Entrant of(String name, Role role, String kind, Map<String, ?> options) {
    return new Entrant(
        name,
        role,
        lab -> start(lab, name, Worker.command(lab, kind, options), null, OPEN_SECONDS));
  }

  /** The same with more flags for its JVM. */
  public static Entrant of(
      String name, Role role, List<String> flags, String kind, Map<String, ?> options) {
    return new Entrant(
        name,
        role,
        lab -> start(lab, name, Worker.command(lab, flags, kind, options), null, OPEN_SECONDS));
  }

  /** An entrant of a job to which the kernel refuses io_uring. */
  public static Entrant withoutRing(String name, Role role, String kind, Map<String, ?> options) {
    return new Entrant(
        name,
        role,
        lab ->
            start(
                lab,
                name,
                lab.withoutRing(Worker.command(lab, kind, options)),
                null,
                OPEN_SECONDS));
  }

  /** An entrant of a job that keeps what it writes, and whose files are looked at in the end. */
  public static Entrant keeping(
      String name, Role role, String kind, Map<String, ?> options, Footprint footprint) {
    return new Entrant(
        name,
        role,
        lab -> start(lab, name, Worker.command(lab, kind, options), footprint, OPEN_SECONDS));
  }

  /**
   * Starts a worker and warms it up.
   *
   * @param command of {@link Worker#command}
   * @param footprint of what it keeps; null if nobody looks
   * @param openSeconds how long it may take to get ready
   */
  public static Running start(
      Lab lab, String name, List<String> command, @Nullable Footprint footprint, long openSeconds)
      throws IOException, InterruptedException {
    WorkerEntrant started =
        new WorkerEntrant(lab, WorkerProcess.start(lab, name, command, openSeconds), footprint);
    try {
      long round = Math.min(ROUND_MILLIS, lab.settings().runMillis());
      new Warmup(lab, "  " + name).run(started.worker.pid(), () -> started.run(round));
    } catch (IOException | InterruptedException | RuntimeException broken) {
      started.close();
      throw broken;
    }
    return started;
  }

  @Override
  public Sample measure() throws IOException, InterruptedException {
    double before = ProcessCpu.seconds(worker.pid());
    Fields ran = run(lab.settings().runMillis());
    double cpu = ProcessCpu.seconds(worker.pid()) - before;
    return new Sample(ran.number("units"), ran.number("nanos") / 1e9, cpu, latencies(ran, ""));
  }

  /**
   * What a worker said of its latencies.
   *
   * @param prefix in front of each key
   */
  static Latencies latencies(Fields ran, String prefix) {
    return new Latencies(
        ran.decimal(prefix + "p50"),
        ran.decimal(prefix + "p99"),
        ran.decimal(prefix + "p999"),
        ran.decimal(prefix + "longest"));
  }

  private Fields run(long millis) throws IOException, InterruptedException {
    Fields ran = worker.run("millis=" + millis, GRACE_SECONDS + millis / 1000);
    units += ran.number("units");
    remarks = remarksIn(ran, "each, ");
    return ran;
  }

  @Override
  public String note() throws IOException, InterruptedException {
    return footprint == null ? remarks : footprint.describe(lab, worker.pid(), units);
  }

  /** What a worker says beyond what all say. */
  static String remarksIn(Fields ran, String what) {
    List<String> words = new ArrayList<>();
    ran.values()
        .forEach(
            (key, value) -> {
              if (!TALLY.contains(key)) {
                words.add(value + " " + key);
              }
            });
    return words.isEmpty() ? "" : what + "in the last sample: " + String.join(", ", words);
  }

  @Override
  public OptionalLong process() {
    return OptionalLong.of(worker.pid());
  }

  @Override
  public void close() {
    worker.close();
  }
}
