package dev.upcall.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.content.StagedContent;
import dev.upcall.fsm.MachineCounts;
import dev.upcall.fsm.meter.DistributionSnapshot;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskCounters;
import dev.upcall.io.DiskOperation;
import dev.upcall.sim.FaultPlan;
import dev.upcall.sim.SimDiskConfig;
import dev.upcall.sim.SimWorld;
import dev.upcall.txn.metrics.StoreMetrics;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a store counts is what happened, on a machine whose every request takes the same time. */
class StoreMetricsTest {
  private static final long LATENCY_NANOS = 100_000;

  private SimWorld world;
  private StoreFixture store;

  @BeforeEach
  void open() {
    world = new SimWorld(1, SimDiskConfig.ofBlocks(4096).withLatency(LATENCY_NANOS, LATENCY_NANOS));
    StoreFixture.format(world);
    store = StoreFixture.open(world);
    world.runUntilIdle();
  }

  private StoreMetrics metrics() {
    return store.store().metrics();
  }

  @Test
  void aWarmReadIsAHitAndNothingElse() {
    store.put(100, StoreFixture.bytes(1, 20_000));
    assertInstanceOf(Completion.Done.class, world.<Unit>await(store.store()::checkpoint));
    store.read(100);
    StoreMetrics before = metrics();
    for (int i = 0; i < 50; i++) {
      store.read(100);
    }
    StoreMetrics after = metrics();
    assertEquals(before.buffers().hits() + 50, after.buffers().hits());
    assertEquals(before.buffers().misses(), after.buffers().misses());
    assertEquals(before.buffers().loads(), after.buffers().loads());
    assertEquals(
        before.disk().of(DiskOperation.READ).requests(),
        after.disk().of(DiskOperation.READ).requests());
  }

  @Test
  void aColdReadIsAMissWithItsBytes() {
    store.put(100, StoreFixture.bytes(1, 8192));
    assertInstanceOf(Completion.Done.class, store.close());
    store = StoreFixture.open(world.crashAndReopen());
    world = store.world();
    StoreMetrics before = metrics();
    store.read(100);
    StoreMetrics after = metrics();
    assertEquals(before.buffers().misses() + 1, after.buffers().misses());
    assertEquals(before.buffers().loadedBytes() + 8192, after.buffers().loadedBytes());
    assertTrue(
        after.disk().of(DiskOperation.READ).bytes()
            >= before.disk().of(DiskOperation.READ).bytes() + 8192);
  }

  @Test
  void changesOfOneTurnShareOneDurableWrite() {
    List<StagedContent> contents = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      contents.add(store.stage(StoreFixture.bytes(i, 10)));
    }
    StoreMetrics before = metrics();
    int[] acknowledged = new int[1];
    for (int i = 0; i < contents.size(); i++) {
      store.put(100 + i, contents.get(i), completion -> acknowledged[0]++);
    }
    world.runUntil(() -> acknowledged[0] == 30);
    StoreMetrics after = metrics();
    assertEquals(before.log().batchRecords().count() + 1, after.log().batchRecords().count());
    assertEquals(before.log().batchRecords().sum() + 30, after.log().batchRecords().sum());
    assertEquals(
        before.disk().of(DiskOperation.DURABLE_WRITE).requests() + 1,
        after.disk().of(DiskOperation.DURABLE_WRITE).requests());
    DistributionSnapshot commits = after.work().commitNanos();
    assertEquals(before.work().commitNanos().count() + 30, commits.count());
    assertEquals(LATENCY_NANOS, commits.max(), "a commit takes as long as its write");
    assertEquals(
        before.work().commitNanos().sum() + 30 * LATENCY_NANOS, commits.sum(), "all of them do");
  }

  @Test
  void theDeviceTakesTheTimeThatItTakes() {
    store.put(100, StoreFixture.bytes(1, 300_000));
    store.put(101, StoreFixture.bytes(1, 100));
    assertInstanceOf(Completion.Done.class, world.<Unit>await(store.store()::checkpoint));
    DiskCounters disk = metrics().disk();
    assertEquals(0, disk.inFlight());
    for (DiskOperation operation :
        List.of(
            DiskOperation.READ,
            DiskOperation.WRITE,
            DiskOperation.DURABLE_WRITE,
            DiskOperation.SYNC)) {
      DistributionSnapshot nanos = disk.of(operation).nanos();
      assertTrue(nanos.count() > 0, operation + " happened");
      assertEquals(LATENCY_NANOS, nanos.max(), operation.words());
      assertEquals(nanos.count() * LATENCY_NANOS, nanos.sum(), operation.words());
      assertEquals(nanos.count(), nanos.countUpTo(2 * LATENCY_NANOS), operation.words());
      assertEquals(0, nanos.countUpTo(LATENCY_NANOS / 2), operation.words());
    }
    assertTrue(disk.of(DiskOperation.WRITE).bytes() >= 300_000);
    assertEquals(world.disk().requests(), sum(disk), "every request is of one kind");
  }

  private static long sum(DiskCounters disk) {
    return disk.kinds().stream().mapToLong(DiskCounters.Kind::requests).sum();
  }

  @Test
  void checkpointsAreTimedAndEmptyTheLog() {
    store.put(100, StoreFixture.bytes(1, 10_000));
    StoreMetrics before = metrics();
    assertTrue(before.log().usedBlocks() > 0);
    assertTrue(before.work().dirtyPages() > 0);
    assertTrue(before.info().unplacedBytes() >= 10_000 / Disk.BLOCK_BYTES * Disk.BLOCK_BYTES);
    assertInstanceOf(Completion.Done.class, world.<Unit>await(store.store()::checkpoint));
    StoreMetrics after = metrics();
    assertEquals(
        before.work().checkpointNanos().count() + 1, after.work().checkpointNanos().count());
    assertTrue(after.work().checkpointNanos().max() >= 4 * LATENCY_NANOS);
    assertEquals(0, after.work().checkpointsFailed());
    assertEquals(0, after.work().dirtyPages());
    assertEquals(0, after.info().unplacedBytes());
    assertTrue(after.log().usedBlocks() < before.log().usedBlocks() + 4);
    assertEquals(StoreFixture.tinyLayout().logBlocks(), after.log().capacityBlocks());
  }

  @Test
  void aFailedSyncIsCountedAndTheReasonIsSaid() {
    store.put(100, StoreFixture.bytes(1, 10_000));
    world.disk().setFaults(FaultPlan.NONE.withErrors(0, 0, 1_000_000));
    world.<Unit>await(store.store()::checkpoint);
    StoreMetrics metrics = metrics();
    assertTrue(metrics.disk().of(DiskOperation.SYNC).failed() > 0);
    assertTrue(metrics.work().checkpointsFailed() > 0);
    assertTrue(metrics.info().readOnlyReason().contains("sync failed"), metrics.toString());
  }

  @Test
  void machinesStandWhereTheyStand() {
    store.put(100, StoreFixture.bytes(1, 10));
    MachineCounts log = machine("LogWriter");
    assertEquals(1, log.machines());
    assertEquals(1, log.states().getFirst().standing(), "idle");
    MachineCounts changes = machine("Change");
    assertTrue(changes.machines() > 0);
    MachineCounts.State done = changes.states().getLast();
    assertEquals(changes.machines(), done.entered(), "every change has ended");
    assertEquals(0, done.standing(), "and what has ended stands nowhere");
    long standing = changes.states().stream().mapToLong(MachineCounts.State::standing).sum();
    assertEquals(0, standing);
  }

  private MachineCounts machine(String name) {
    return metrics().machines().stream()
        .filter(machine -> machine.machine().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
