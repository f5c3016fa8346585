package dev.upcall.cli.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.upcall.FileInfo;
import dev.upcall.FileManager;
import dev.upcall.FileManagerConfig;
import dev.upcall.FileTransaction;
import dev.upcall.PutHandle;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.completion.Unit;
import dev.upcall.feed.Backlog;
import dev.upcall.feed.FeedCounts;
import dev.upcall.feed.FeedMetrics;
import dev.upcall.feed.answer.AnswerCounts;
import dev.upcall.fsm.meter.Distribution;
import dev.upcall.fsm.meter.DistributionSnapshot;
import dev.upcall.httpd.HttpMetrics;
import dev.upcall.httpd.HttpVerb;
import dev.upcall.httpd.server.SocketKind;
import dev.upcall.io.DiskOperation;
import dev.upcall.io.IoClass;
import dev.upcall.io.trace.BlockMeasures;
import dev.upcall.io.trace.BlockTraffic;
import dev.upcall.io.trace.TraceEntry;
import dev.upcall.journal.recording.RecordingCounts;
import dev.upcall.locks.LockRank;
import dev.upcall.locks.LockWait;
import dev.upcall.metrics.MadeUpSnapshots;
import dev.upcall.metrics.MetricsSnapshot;
import dev.upcall.sim.FaultPlan;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.Durability;
import dev.upcall.store.StoreFixture;
import dev.upcall.store.VerifyOptions;
import dev.upcall.store.VerifyReport;
import dev.upcall.txn.metrics.StoreMetrics;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A store on a simulated machine, with something to count. */
public final class MetricsWorld implements AutoCloseable {
  public final SimWorld machine;
  public final StoreFixture store;
  public final FileManager files;

  public MetricsWorld(long seed) {
    machine = SimWorld.ofBlocks(seed, StoreFixture.tinyLayout().maxBlocks());
    StoreFixture.format(machine);
    store = StoreFixture.open(machine);
    files = machine.get(port -> FileManager.open(store.store(), FileManagerConfig.DEFAULT, port));
  }

  public void put(String path, String content) {
    PutHandle put =
        machine.get(port -> files.put(StorePath.of(path), PutOptions.WITH_PARENTS, port));
    machine.<Unit>get(port -> put.append(ByteBuffer.wrap(content.getBytes(UTF_8)), port));
    machine.<FileInfo>get(put::commit);
  }

  /** A transaction, for which somebody has to wait. */
  public void transact(String path) {
    FileTransaction transaction = machine.get(files::begin);
    machine.<FileInfo>get(port -> transaction.createDirectory(StorePath.of(path), port));
    files.createDirectory(StorePath.of(path), refused -> {});
    machine.runUntil(() -> store.store().metrics().transactions().locks().waiting() == 1);
    machine.<Long>get(port -> transaction.commit(Durability.SYNC, port));
  }

  public void checkpoint() {
    machine.<Unit>get(store.store()::checkpoint);
  }

  /** From now on no sync succeeds; and one is tried. */
  public void failSync() {
    machine.disk().setFaults(FaultPlan.NONE.withErrors(0, 0, 1_000_000));
    machine.<Unit>await(store.store()::checkpoint);
    machine.disk().setFaults(FaultPlan.NONE);
  }

  /** As of now, of a store alone. */
  public MetricsSnapshot snapshot() {
    return MetricsSnapshot.of(files);
  }

  /** As of now, with what else there may be, and the given counts of a server. */
  public MetricsSnapshot snapshot(HttpMetrics http) {
    machine.<VerifyReport>await(
        port -> store.store().verify(new VerifyOptions(false), (_, _) -> true, port));
    return MadeUpSnapshots.of(withTraffic(store.store().metrics()), files.metrics())
        .with(new HttpMeters(http))
        .with(new SocketMeters(SocketKind.RING))
        .with(new LockMeters(List.of(new LockWait(LockRank.STATE, 2, 3_000))))
        .with(new RecordingMeters(new RecordingCounts(5, 1, 640, "")))
        .with(new QueueMeters(queue()));
  }

  /** The same with measures and a trace. */
  private static StoreMetrics withTraffic(StoreMetrics of) {
    BlockMeasures measures = new BlockMeasures(1000);
    for (int i = 0; i < 3; i++) {
      for (DiskOperation operation : List.of(DiskOperation.READ, DiskOperation.WRITE)) {
        measures.record(
            new TraceEntry(
                1000L * i,
                operation,
                IoClass.LOG,
                new TraceEntry.Run(10 * i, 10),
                new TraceEntry.Source(1, 1, 500)));
      }
    }
    return new StoreMetrics(
        of.dispatcher(),
        of.machines(),
        of.info(),
        of.pressure(),
        of.places(),
        of.work(),
        of.transactions(),
        of.snapshots(),
        of.log(),
        of.buffers(),
        of.disk(),
        new BlockTraffic.Counts(
            measures.snapshot(), new BlockTraffic.TraceCounts(6, 0, /* isOver= */ false)));
  }

  private static FeedMetrics queue() {
    Distribution groups = new Distribution();
    groups.record(9);
    FeedCounts counts = new FeedCounts(9, 1, 1, 2, 0, 0, 0);
    AnswerCounts answers = new AnswerCounts(9, 1, 1, 0);
    return new FeedMetrics(
        counts, groups.snapshot(), 1, 3, 2, 1, 1, new Backlog(9, 900), 5_000, answers, "");
  }

  /** Made-up counts of a server. */
  public static HttpMetrics http(DistributionSnapshot gets) {
    List<HttpMetrics.Latency> latencies = new ArrayList<>();
    for (HttpVerb verb : HttpVerb.values()) {
      latencies.add(
          new HttpMetrics.Latency(verb, verb == HttpVerb.GET ? gets : DistributionSnapshot.EMPTY));
    }
    return new HttpMetrics(
        List.of(
            7L, 4096L, 6L, 5L, 2L, 3L, 9L, 2L, 1L, 8L, 1L, 1L, 3L, 2L, 1L, 1L, 4L, 3L, 4L, 999L, 3L,
            2L, 1L, 2L, 1L, 3L, 2L, 5L, 2L, 1L, 1L),
        List.of(0L, 5L, 1L, 1L, 0L),
        latencies);
  }

  @Override
  public void close() {
    machine.<Unit>await(files::close);
    machine.<Unit>await(store.store()::close);
  }
}
