package dev.upcall.bench.composition;

import dev.upcall.Engine;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.job.DeviceChoice;
import dev.upcall.bench.job.Job;
import dev.upcall.bench.job.Tally;
import dev.upcall.bench.workload.CarrierWatch;
import dev.upcall.bench.workload.FileSetDraws;
import dev.upcall.bench.workload.StoreCounts;
import dev.upcall.config.DiskKind;
import dev.upcall.specweb.FileSet;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * {@link Cycles} over a volume that holds a SPECweb96-style file set. Options: {@code volume},
 * {@code directories}, {@code disk}, {@code disk-threads}, {@code side}: {@code shared}, {@code
 * own}, {@code callers} or {@code virtual-callers} (state machines; the latter called from platform
 * or virtual threads), {@code threads} or {@code virtual} (the engine of threads, called likewise).
 * An order says {@code in-flight}, {@code memory} (bytes), {@code warm} (whether all files are read
 * once when the store is opened) and {@code rewrite} (per cent). The store is opened anew when an
 * order says another memory, so that one warm JVM serves several experiments.
 */
public final class CycleJob implements Job {
  private final String side;
  private final Path volume;
  private final UpcallConfig config;
  private final DeviceChoice device;
  private final FileSet set;
  private @Nullable Open open;

  public CycleJob(Fields options) {
    side = options.text("side");
    volume = Path.of(options.text("volume"));
    device = new DeviceChoice(options);
    config =
        UpcallConfig.DEFAULT
            .withDisk(DiskKind.valueOf(options.text("disk")))
            .withDiskThreads((int) options.number("disk-threads"))
            .withEngine(engineOf(side));
    set = new FileSet((int) options.number("directories"));
  }

  private static Engine engineOf(String side) {
    return switch (side) {
      case "shared", "own", "callers", "virtual-callers" -> Engine.FSM;
      case "threads" -> Engine.THREADS;
      case "virtual" -> Engine.VIRTUAL;
      default -> throw new IllegalArgumentException("no such side: " + side);
    };
  }

  /** The store as an order wants it. */
  private record Open(Upcall store, Cycles cycles, long memoryBytes, int rewritePercent) {}

  private Open open(Fields order) {
    long memoryBytes = order.number("memory");
    int rewritePercent = (int) order.number("rewrite");
    Open before = open;
    if (before != null
        && before.memoryBytes() == memoryBytes
        && before.rewritePercent() == rewritePercent) {
      return before;
    }
    if (before != null) {
      before.cycles().close();
    }
    boolean reopened = before == null || before.memoryBytes() != memoryBytes;
    if (before != null && reopened) {
      before.store().close();
    }
    open = null;
    Upcall store =
        before != null && !reopened
            ? before.store()
            : Upcall.open(volume, device.in(config.withMemoryBytes(memoryBytes)));
    if (reopened && Boolean.parseBoolean(order.text("warm"))) {
      set.entries().forEach(entry -> store.readAllBytes("/" + entry.path()));
    }
    Open now = new Open(store, cycles(store, rewritePercent), memoryBytes, rewritePercent);
    open = now;
    return now;
  }

  private Cycles cycles(Upcall store, int rewritePercent) {
    FileSetDraws.Table table = FileSetDraws.Table.of(set, rewritePercent);
    return switch (side) {
      case "shared" -> new SharedCycles(store.fsm(), table);
      case "own" -> new OwnCycles(store.fsm(), table);
      case "threads", "callers" -> ThreadCycles.platform(store, table);
      default -> ThreadCycles.virtual(store, table);
    };
  }

  @Override
  public Tally run(Fields order) throws IOException, InterruptedException {
    Open now = open(order);
    now.cycles().prepare((int) order.number("in-flight"));
    CarrierWatch carriers = side.equals("virtual") ? CarrierWatch.start() : null;
    StoreCounts before = StoreCounts.of(now.store());
    Tally tally = now.cycles().run(order.number("millis") * 1_000_000);
    return tally.remark(
        StoreCounts.of(now.store()).since(before).describe(tally.units(), (double) tally.sumNanos())
            + (carriers == null ? "" : carriers.end()));
  }

  @Override
  public void close() {
    Open last = open;
    if (last != null) {
      last.cycles().close();
      last.store().close();
    }
  }
}
