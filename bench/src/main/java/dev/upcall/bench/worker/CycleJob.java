package dev.upcall.bench.worker;

import dev.upcall.bench.harness.Fields;
import dev.upcall.fileman.Engine;
import dev.upcall.fileman.Upcall;
import dev.upcall.fileman.UpcallConfig;
import dev.upcall.io.DiskKind;
import dev.upcall.specweb.FileSet;
import java.io.IOException;
import java.nio.file.Path;

/**
 * {@link Cycles} over a volume that holds a SPECweb96-style file set. Options: {@code volume},
 * {@code directories}, {@code memory} (bytes), {@code disk}, {@code disk-threads}, {@code rewrite}
 * (per cent), {@code warm} (whether all files are read once), {@code side}: {@code shared}, {@code
 * own} (state machines), {@code threads} or {@code virtual} (the engine of threads, called from
 * platform or virtual threads). An order says {@code in-flight}.
 */
final class CycleJob implements Worker.Job {
  private final Upcall store;
  private final Cycles cycles;
  private String remarks = "";

  CycleJob(Fields options) {
    String side = options.text("side");
    UpcallConfig config =
        UpcallConfig.DEFAULT
            .withMemoryBytes(options.number("memory"))
            .withDisk(DiskKind.valueOf(options.text("disk")))
            .withDiskThreads((int) options.number("disk-threads"))
            .withEngine(engineOf(side));
    store = Upcall.open(Path.of(options.text("volume")), config);
    FileSet set = new FileSet((int) options.number("directories"));
    FileSetDraws.Table table = FileSetDraws.Table.of(set, (int) options.number("rewrite"));
    if (Boolean.parseBoolean(options.text("warm"))) {
      set.entries().forEach(entry -> store.readAllBytes("/" + entry.path()));
    }
    cycles =
        switch (side) {
          case "shared" -> new SharedCycles(store, table);
          case "own" -> new OwnCycles(store, table);
          case "threads" -> ThreadCycles.platform(store, table);
          default -> ThreadCycles.virtual(store, table);
        };
  }

  private static Engine engineOf(String side) {
    return switch (side) {
      case "shared", "own" -> Engine.FSM;
      case "threads" -> Engine.THREADS;
      case "virtual" -> Engine.VIRTUAL;
      default -> throw new IllegalArgumentException("no such side: " + side);
    };
  }

  @Override
  public Tally run(long nanos) throws IOException, InterruptedException {
    return run(1, nanos);
  }

  @Override
  public Tally run(Fields order) throws IOException, InterruptedException {
    return run((int) order.number("in-flight"), order.number("millis") * 1_000_000);
  }

  private Tally run(int inFlight, long nanos) throws IOException, InterruptedException {
    cycles.prepare(inFlight);
    StoreCounts before = StoreCounts.of(store);
    Tally tally = cycles.run(nanos);
    remarks =
        StoreCounts.of(store).since(before).describe(tally.units(), (double) tally.sumNanos());
    return tally;
  }

  @Override
  public String remarks() {
    return remarks;
  }

  @Override
  public void close() {
    cycles.close();
    store.close();
  }
}
