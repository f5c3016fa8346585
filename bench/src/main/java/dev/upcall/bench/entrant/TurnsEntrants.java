package dev.upcall.bench.entrant;

import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Role;
import dev.upcall.bench.harness.Running;
import dev.upcall.bench.harness.Sample;
import dev.upcall.bench.harness.Warmup;
import dev.upcall.bench.host.ProcessCpu;
import dev.upcall.bench.worker.Worker;
import dev.upcall.bench.worker.WorkerProcess;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * All sides of a comparison in one process, which does by turns what each of them is about: so they
 * have the same thread, the same files around them and the same minute.
 */
public final class TurnsEntrants {
  /** Some make files of 20 GiB first. */
  private static final long OPEN_SECONDS = 900;

  private static final long GRACE_SECONDS = 60;
  private static final long ROUND_MILLIS = 300;

  private final String kind;
  private final Map<String, ?> options;
  private final List<Side> sides;
  private @Nullable WorkerProcess worker;

  private TurnsEntrants(String kind, Map<String, ?> options, List<Side> sides) {
    this.kind = kind;
    this.options = options;
    this.sides = sides;
  }

  /**
   * A side.
   *
   * @param order that it gives to the worker, besides how long
   * @param unitSeconds what one unit takes at most, where that is many times a sample's time: such
   *     a side is not warmed up, and does one unit in each sample; 0 of all others
   */
  public record Side(String name, Role role, String order, long unitSeconds) {
    /** One that does many units in a sample. */
    public Side(String name, Role role, String order) {
      this(name, role, order, 0);
    }
  }

  /**
   * The sides; the process is that of the first.
   *
   * @param kind of the worker
   * @param options of the worker
   */
  public static List<Entrant> of(String kind, Map<String, ?> options, List<Side> sides) {
    TurnsEntrants all = new TurnsEntrants(kind, options, sides);
    return sides.stream()
        .map(side -> new Entrant(side.name(), side.role(), lab -> all.start(lab, side)))
        .toList();
  }

  private Running start(Lab lab, Side side) throws IOException, InterruptedException {
    boolean isFirst = side.equals(sides.getFirst());
    Turn turn = new Turn(lab, side, isFirst);
    if (!isFirst) {
      return turn;
    }
    WorkerProcess started =
        WorkerProcess.start(lab, kind, Worker.command(lab, kind, options), OPEN_SECONDS);
    worker = started;
    try {
      new Warmup(lab, "  " + kind)
          .run(
              started.pid(),
              () -> {
                for (Side each : sides) {
                  if (each.unitSeconds() == 0) {
                    run(started, each, ROUND_MILLIS);
                  }
                }
              });
    } catch (IOException | InterruptedException | RuntimeException broken) {
      turn.close();
      throw broken;
    }
    return turn;
  }

  private static Fields run(WorkerProcess worker, Side side, long millis)
      throws IOException, InterruptedException {
    long seconds = GRACE_SECONDS + side.unitSeconds() + millis / 1000;
    return worker.run(side.order() + " millis=" + millis, seconds);
  }

  private final class Turn implements Running {
    private final Lab lab;
    private final Side side;
    private final boolean ends;
    private String remarks = "";

    private Turn(Lab lab, Side side, boolean ends) {
      this.lab = lab;
      this.side = side;
      this.ends = ends;
    }

    @Override
    public Sample measure() throws IOException, InterruptedException {
      WorkerProcess running = worker;
      if (running == null) {
        throw new IOException("the process that all sides share has ended");
      }
      double before = ProcessCpu.seconds(running.pid());
      Fields ran = run(running, side, lab.settings().runMillis());
      double cpu = ProcessCpu.seconds(running.pid()) - before;
      remarks = WorkerEntrant.remarksIn(ran, "");
      return new Sample(
          ran.number("units"), ran.number("nanos") / 1e9, cpu, WorkerEntrant.latencies(ran, ""));
    }

    @Override
    public String note() {
      return remarks;
    }

    @Override
    public OptionalLong process() {
      WorkerProcess running = worker;
      return running == null ? OptionalLong.empty() : OptionalLong.of(running.pid());
    }

    @Override
    public void close() {
      WorkerProcess running = worker;
      if (ends && running != null) {
        worker = null;
        running.close();
      }
    }
  }
}
