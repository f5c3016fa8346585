package dev.upcall.bench.experiment;

import dev.upcall.bench.entrant.Inputs;
import dev.upcall.bench.entrant.Server;
import dev.upcall.bench.entrant.WorkerEntrant;
import dev.upcall.bench.harness.Comparison;
import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Figure;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Role;
import dev.upcall.bench.job.Blocks;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Creation of small files through the queue of requests, durable in the store and said to the
 * producers, against the same asked of the file manager directly.
 */
public final class QueueExperiment implements Experiment {
  private static final String DISK = "RING";
  private static final int SMALL_BYTES = 100;

  /** As many as the feed puts into one commit at most. */
  private static final int BATCH = 256;

  /** One becomes durable while the next is planned, and one waits. */
  private static final int BATCHES = 3;

  private static final int WINDOW = 8192;
  private static final int PRODUCERS = 8;
  private static final int OUTSTANDING = 64;
  private static final double AIM_BATCHES = 0.8;
  private static final double AIM_CREATES = 0.9;

  @Override
  public String name() {
    return "queue";
  }

  @Override
  public List<Comparison> prepare(Lab lab) {
    return List.of(
        new Comparison(
            name(),
            "files of 100 bytes, one producer",
            Figure.perSecond("creates").aimingAt(AIM_BATCHES),
            List.of(
                queue(lab, "upcall, queue", new Load("many", 1, WINDOW, SMALL_BYTES, "durable")),
                direct(
                    lab,
                    "the same batches, direct",
                    new Inputs.Creation(BATCHES, BATCH, SMALL_BYTES)))),
        new Comparison(
            name(),
            "a file of 100 bytes, one at a time",
            Figure.p99Micros("creates"),
            List.of(
                queue(
                    lab,
                    "upcall, queue, till durable",
                    new Load("one", 1, 1, SMALL_BYTES, "durable")),
                queue(
                    lab,
                    "upcall, queue, till answered",
                    new Load("answered", 1, 1, SMALL_BYTES, "answered")),
                direct(lab, "a direct call", new Inputs.Creation(1, 1, SMALL_BYTES)))),
        new Comparison(
            name(),
            "files of 4 KiB, %d producers".formatted(PRODUCERS),
            Figure.perSecond("creates").aimingAt(AIM_CREATES),
            List.of(
                queue(
                    lab,
                    "upcall, queue",
                    new Load("eight", PRODUCERS, WINDOW / PRODUCERS, Blocks.BYTES, "durable")),
                direct(
                    lab,
                    "%d outstanding, direct".formatted(OUTSTANDING),
                    new Inputs.Creation(OUTSTANDING, 1, Blocks.BYTES)))));
  }

  /** What producers ask. */
  private record Load(String name, int producers, int window, int bytes, String until) {}

  private static Entrant queue(Lab lab, String name, Load load) {
    Path place = lab.scratch().resolve("queue-" + load.name());
    return WorkerEntrant.of(
        name,
        Role.OURS,
        Server.QUEUE_FLAGS,
        "queue",
        Map.of(
            "volume", place + ".upcall",
            "folder", place,
            "disk", DISK,
            "cap", Inputs.capBytes(lab),
            "producers", load.producers(),
            "window", load.window(),
            "bytes", load.bytes(),
            "until", load.until()));
  }

  private static Entrant direct(Lab lab, String name, Inputs.Creation what) {
    Path volume =
        lab.scratch()
            .resolve("direct-%d-%d-%d.upcall".formatted(what.depth(), what.batch(), what.bytes()));
    return WorkerEntrant.of(name, Role.PEER, "create", Inputs.creation(lab, volume, DISK, what));
  }
}
