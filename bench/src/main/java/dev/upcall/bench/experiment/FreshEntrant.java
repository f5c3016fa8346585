package dev.upcall.bench.experiment;

import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.ProcessCpu;
import dev.upcall.bench.harness.Role;
import dev.upcall.bench.harness.Running;
import dev.upcall.bench.harness.Sample;
import dev.upcall.bench.worker.Worker;
import dev.upcall.bench.worker.WorkerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * An entrant that is a new process with new files for each sample: nothing is warm. It does a
 * number of units that do not count, and then those that do.
 */
final class FreshEntrant implements Running {
  private static final long OPEN_SECONDS = 60;
  private static final long RUN_SECONDS = 600;

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
   * @param kind of the worker, which takes orders of units
   * @param options of the worker
   * @param files that it makes, removed behind each sample
   */
  record Job(String kind, Map<String, ?> options, Path files) {}

  /**
   * Which units count.
   *
   * @param skipped how many come before
   * @param counted how many count
   */
  record Part(long skipped, long counted) {}

  static Entrant of(String name, Role role, Job job, Part part) {
    return new Entrant(name, role, lab -> new FreshEntrant(lab, job, part));
  }

  @Override
  public Sample measure() throws IOException, InterruptedException {
    try (WorkerProcess worker =
        WorkerProcess.start(
            lab, job.kind(), Worker.command(lab, job.kind(), job.options()), OPEN_SECONDS)) {
      if (part.skipped() > 0) {
        worker.run("units=" + part.skipped(), RUN_SECONDS);
      }
      double before = ProcessCpu.seconds(worker.pid());
      Fields ran = worker.run("units=" + part.counted(), RUN_SECONDS);
      remarks = WorkerEntrant.remarksIn(ran, "");
      double cpu = ProcessCpu.seconds(worker.pid()) - before;
      return new Sample(
          ran.number("units"), ran.number("nanos") / 1e9, cpu, WorkerEntrant.latencies(ran, ""));
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
