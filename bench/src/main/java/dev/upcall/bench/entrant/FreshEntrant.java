package dev.upcall.bench.entrant;

import static java.util.stream.Collectors.joining;

import dev.upcall.bench.harness.Course;
import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Role;
import dev.upcall.bench.harness.Running;
import dev.upcall.bench.harness.Sample;
import dev.upcall.bench.host.ProcessCpu;
import dev.upcall.bench.worker.Worker;
import dev.upcall.bench.worker.WorkerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

/**
 * An entrant that is a new process with new files for each sample: nothing is warm. It does what
 * does not count, if anything, and then what does.
 */
public final class FreshEntrant implements Running {
  private static final long OPEN_SECONDS = 300;
  private static final long GRACE_SECONDS = 600;

  /** Of what comes and goes within seconds. */
  public static final int UNIT_PEAK_MILLIS = 10;

  private final Lab lab;
  private final Job job;
  private final Part part;
  private String remarks = "";

  private FreshEntrant(Lab lab, Job job, Part part) {
    this.lab = lab;
    this.job = job;
    this.part = part;
  }

  /**
   * What is run.
   *
   * @param kind of the worker, which takes orders of units or of time
   * @param options of the worker
   * @param files that it makes, removed behind each sample
   */
  public record Job(String kind, Map<String, ?> options, Path files) {}

  /**
   * Which part of what it does counts.
   *
   * @param skipped the order of what comes before; empty when nothing does
   * @param counted the order of what counts
   * @param seconds that one of them takes at most, where that is known
   * @param peakMillis the longest of each so many milliseconds is told
   */
  public record Part(String skipped, String counted, long seconds, int peakMillis) {
    /** Units behind others. */
    public static Part units(long skipped, long counted) {
      String before = skipped == 0 ? "" : "units=" + skipped;
      return new Part(before, "units=" + counted, 0, UNIT_PEAK_MILLIS);
    }

    /** All from the first one on, for a time. */
    public static Part time(long millis, int peakMillis) {
      return time("", millis, peakMillis);
    }

    /** The same of one of several things that the worker does. */
    public static Part time(String order, long millis, int peakMillis) {
      return new Part("", order + " millis=" + millis, millis / 1000, peakMillis);
    }

    /** The same behind another order, which does not count. */
    public Part behind(String order) {
      return new Part(order, counted, seconds, peakMillis);
    }
  }

  /** The entrant. */
  public static Entrant of(String name, Role role, Job job, Part part) {
    return new Entrant(name, role, lab -> new FreshEntrant(lab, job, part));
  }

  @Override
  public Sample measure() throws IOException, InterruptedException {
    try (WorkerProcess worker =
        WorkerProcess.start(
            lab, job.kind(), Worker.command(lab, job.kind(), job.options()), OPEN_SECONDS)) {
      long seconds = part.seconds() + GRACE_SECONDS;
      if (!part.skipped().isEmpty()) {
        worker.run(part.skipped(), seconds);
      }
      double before = ProcessCpu.seconds(worker.pid());
      Fields ran = worker.run(part.counted() + " peaks=" + part.peakMillis(), seconds);
      remarks =
          Stream.of(lab.largePages().of(worker.pid()), WorkerEntrant.remarksIn(ran, ""))
              .filter(text -> !text.isEmpty())
              .collect(joining("; "));
      double cpu = ProcessCpu.seconds(worker.pid()) - before;
      return new Sample(
          ran.number("units"),
          ran.number("nanos") / 1e9,
          cpu,
          WorkerEntrant.latencies(ran, ""),
          Course.parse(ran));
    } finally {
      Lab.remove(job.files());
    }
  }

  @Override
  public String note() {
    return remarks;
  }

  @Override
  public void close() {
    // Each sample's process has ended.
  }
}
