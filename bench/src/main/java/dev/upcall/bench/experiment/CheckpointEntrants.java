package dev.upcall.bench.experiment;

import dev.upcall.bench.harness.Child;
import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Role;
import dev.upcall.bench.harness.Running;
import dev.upcall.bench.harness.Sample;
import dev.upcall.bench.harness.Warmup;
import dev.upcall.bench.worker.Worker;
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
final class CheckpointEntrants {
  private static final long OPEN_SECONDS = 60;
  private static final long GRACE_SECONDS = 60;
  private static final long WARM_MILLIS = 300;

  private final Maker volume;
  private final Map<String, ?> options;
  private final List<Fields> runs = new ArrayList<>();
  private @Nullable Child child;

  /** Makes the volume. */
  interface Maker {
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
  static List<Entrant> of(Maker volume, Map<String, ?> options) {
    CheckpointEntrants both = new CheckpointEntrants(volume, options);
    return List.of(
        new Entrant("upcall, during a checkpoint", Role.OURS, both::start),
        new Entrant("upcall, without", Role.PEER, lab -> both.new Before(lab)));
  }

  private Running start(Lab lab) throws IOException, InterruptedException {
    volume.make(lab);
    Child started = lab.start("checkpoint", Worker.command(lab, "checkpoint", options));
    child = started;
    During during = new During(lab, started);
    try {
      started.await("ready", OPEN_SECONDS);
      long round = Math.min(WARM_MILLIS, lab.settings().runMillis());
      new Warmup(lab, "  checkpoint").run(started.pid(), () -> run(started, round));
    } catch (IOException | InterruptedException | RuntimeException broken) {
      during.close();
      throw broken;
    }
    return during;
  }

  private static Fields run(Child child, long millis) throws IOException, InterruptedException {
    child.send("run millis=" + millis);
    return Fields.parse(child.await("ran", GRACE_SECONDS + millis / 1000));
  }

  /** The run with a number; whoever comes first has it made. */
  private Fields run(Lab lab, int number) throws IOException, InterruptedException {
    Child running = child;
    if (running == null) {
      throw new IOException("the process that it belongs to has ended");
    }
    while (runs.size() <= number) {
      runs.add(run(running, lab.settings().runMillis()));
    }
    return runs.get(number);
  }

  private static Sample sample(Fields ran, String prefix) {
    return new Sample(
        ran.number(prefix + "units"),
        ran.number(prefix + "nanos") / 1e9,
        Double.NaN,
        ran.decimal(prefix + "p50"),
        ran.decimal(prefix + "p99"));
  }

  private String note(String prefix) {
    Fields last = runs.getLast();
    return String.format(
        Locale.ROOT,
        "the last sample: %,d reads in %.2f s",
        last.number(prefix + "units"),
        last.number(prefix + "nanos") / 1e9);
  }

  private final class During implements Running {
    private final Lab lab;
    private final Child started;
    private int taken;

    private During(Lab lab, Child started) {
      this.lab = lab;
      this.started = started;
    }

    @Override
    public Sample measure() throws IOException, InterruptedException {
      return sample(run(lab, taken++), "");
    }

    @Override
    public String note() {
      return CheckpointEntrants.this.note("");
    }

    @Override
    public void close() {
      child = null;
      lab.end(started);
    }
  }

  private final class Before implements Running {
    private final Lab lab;
    private int taken;

    private Before(Lab lab) {
      this.lab = lab;
    }

    @Override
    public Sample measure() throws IOException, InterruptedException {
      return sample(run(lab, taken++), "before.");
    }

    @Override
    public String note() {
      return CheckpointEntrants.this.note("before.");
    }

    @Override
    public void close() {
      // The process is the other side's.
    }
  }
}
