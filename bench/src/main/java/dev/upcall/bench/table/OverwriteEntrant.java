package dev.upcall.bench.table;

import dev.upcall.bench.entrant.Footprint;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Numbers;
import dev.upcall.bench.harness.Running;
import dev.upcall.bench.harness.Sample;
import dev.upcall.bench.host.ProcessCpu;
import dev.upcall.bench.worker.Worker;
import dev.upcall.bench.worker.WorkerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * An entrant that overwrites entries at random, so many for each sample, in one store: what it has
 * written for that, and what it holds then. The store is loaded before the first sample.
 */
final class OverwriteEntrant implements Running {
  /** Loading included. */
  private static final long MOST_SECONDS = 7200;

  private final Lab lab;
  private final WorkerProcess worker;
  private final Footprint footprint;
  private final Plan plan;
  private String note = "";

  /** Which quantity counts; the other one is in the note. */
  enum Quantity {
    /** Bytes that its files hold for each byte of the user in them. */
    HELD,
    /** Bytes that its process has written for each put. */
    WRITTEN
  }

  /**
   * One run of overwrites.
   *
   * @param options of a {@link TablesJob}
   * @param entries how many there are
   * @param entryBytes of the user in each
   * @param puts of a sample
   */
  record Plan(
      Map<String, ?> options,
      Path directory,
      long entries,
      int entryBytes,
      long puts,
      Quantity quantity) {}

  private OverwriteEntrant(Lab lab, WorkerProcess worker, Plan plan) {
    this.lab = lab;
    this.worker = worker;
    this.plan = plan;
    this.footprint = new Footprint(plan.directory(), plan.entryBytes());
  }

  static Running start(Lab lab, String name, Plan plan) throws IOException, InterruptedException {
    return new OverwriteEntrant(
        lab,
        WorkerProcess.start(lab, name, Worker.command(lab, "tables", plan.options()), MOST_SECONDS),
        plan);
  }

  @Override
  public Sample measure() throws IOException, InterruptedException {
    double before = ProcessCpu.writtenBytes(worker.pid());
    double cpu = ProcessCpu.seconds(worker.pid());
    Fields ran = worker.run("units=" + plan.puts(), MOST_SECONDS);
    double puts = ran.number("units");
    double seconds = ran.number("nanos") / 1e9;
    double written = (ProcessCpu.writtenBytes(worker.pid()) - before) / puts;
    double live = (double) plan.entries() * plan.entryBytes();
    double held = footprint.heldBytes(lab) / live;
    note =
        "in the last sample %s puts a second, %s bytes written for each; %s bytes on disk for each live one, of %s MiB"
            .formatted(
                Numbers.show(puts / seconds),
                Numbers.show(written),
                Numbers.ratio(held),
                Numbers.show(live / (1 << 20)));
    double amount = plan.quantity() == Quantity.HELD ? held : written;
    return Sample.of(amount, seconds, ProcessCpu.seconds(worker.pid()) - cpu);
  }

  @Override
  public String note() {
    return note;
  }

  @Override
  public void close() throws IOException {
    worker.close();
    Lab.remove(plan.directory());
  }
}
