package dev.upcall.bench.entrant;

import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Role;
import dev.upcall.bench.harness.Running;
import dev.upcall.bench.harness.Sample;
import dev.upcall.bench.harness.Warmup;
import dev.upcall.bench.worker.Worker;
import dev.upcall.bench.worker.WorkerProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Both sides of a comparison in one process, so that it is the same store, the same compiled code
 * and the same minute: each run of the worker reads for a time without a checkpoint, then as long
 * as one takes. The first side has what was read during, the second what was read before; whichever
 * is asked first has the run made.
 */
public final class CheckpointEntrants {
  private static final long OPEN_SECONDS = 60;
  private static final long GRACE_SECONDS = 60;
  private static final long WARM_MILLIS = 300;

  private final Maker volume;
  private final Map<String, ?> options;
  private final List<Fields> runs = new ArrayList<>();
  private @Nullable WorkerProcess worker;

  /** Makes the volume. */
  public interface Maker {
    /** When it is first needed. */
    void make(Lab lab) throws IOException, InterruptedException;
  }

  private CheckpointEntrants(Maker volume, Map<String, ?> options) {
    this.volume = volume;
    this.options = options;
  }

  /**
   * The two sides.
   *
   * @param options of the worker
   */
  public static List<Entrant> of(Maker volume, Map<String, ?> options) {
    CheckpointEntrants both = new CheckpointEntrants(volume, options);
    return List.of(
        new Entrant("upcall, during a checkpoint", Role.OURS, both::start),
        new Entrant("upcall, without", Role.PEER, lab -> both.new Half(lab, "before.", () -> {})));
  }

  private Running start(Lab lab) throws IOException, InterruptedException {
    volume.make(lab);
    WorkerProcess started =
        WorkerProcess.start(
            lab, "checkpoint", Worker.command(lab, "checkpoint", options), OPEN_SECONDS);
    worker = started;
    Half during = new Half(lab, "", this::end);
    try {
      long round = Math.min(WARM_MILLIS, lab.settings().runMillis());
      new Warmup(lab, "  checkpoint").run(started.pid(), () -> run(started, round));
    } catch (IOException | InterruptedException | RuntimeException broken) {
      during.close();
      throw broken;
    }
    return during;
  }

  private static Fields run(WorkerProcess worker, long millis)
      throws IOException, InterruptedException {
    return worker.run("millis=" + millis, GRACE_SECONDS + millis / 1000);
  }

  /** The run with a number; whoever comes first has it made. */
  private Fields run(Lab lab, int number) throws IOException, InterruptedException {
    WorkerProcess running = worker;
    if (running == null) {
      throw new IOException("the process that it belongs to has ended");
    }
    while (runs.size() <= number) {
      runs.add(run(running, lab.settings().runMillis()));
    }
    return runs.get(number);
  }

  private void end() {
    WorkerProcess running = worker;
    worker = null;
    if (running != null) {
      running.close();
    }
  }

  /** What was read during a checkpoint or before it. The process is that of the first half. */
  private final class Half implements Running {
    private final Lab lab;
    private final String prefix;
    private final Runnable end;
    private int taken;

    private Half(Lab lab, String prefix, Runnable end) {
      this.lab = lab;
      this.prefix = prefix;
      this.end = end;
    }

    @Override
    public Sample measure() throws IOException, InterruptedException {
      Fields ran = run(lab, taken++);
      return new Sample(
          ran.number(prefix + "units"),
          ran.number(prefix + "nanos") / 1e9,
          Double.NaN,
          WorkerEntrant.latencies(ran, prefix));
    }

    @Override
    public String note() {
      Fields last = runs.getLast();
      return String.format(
          Locale.ROOT,
          "the last sample: %,d reads in %.2f s",
          last.number(prefix + "units"),
          last.number(prefix + "nanos") / 1e9);
    }

    @Override
    public void close() {
      end.run();
    }
  }
}
