package dev.upcall.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.sim.SimDiskConfig;
import dev.upcall.sim.SimWorld;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class IoSchedulerTest {
  private final SimWorld world =
      new SimWorld(1, SimDiskConfig.ofBlocks(4096).withLatency(100_000, 100_000));
  private final BlockTrace trace = new BlockTrace(world.disk(), world.clock(), 10_000);
  private final List<IoClass> finished = new ArrayList<>();

  private IoScheduler scheduler(SchedulingPolicy policy) {
    return new IoScheduler(trace, world.dispatcher(), policy);
  }

  private DiskRequest read(IoClass ioClass, long block) {
    return new DiskRequest.Read(
        block, List.of(Disk.newBuffer(Disk.BLOCK_BYTES)), ioClass, done -> finished.add(ioClass));
  }

  private long finished(IoClass ioClass) {
    return finished.stream().filter(one -> one == ioClass).count();
  }

  @Test
  void sharesOfAFullDeviceFollowTheWeights() {
    IoScheduler disk = scheduler(new FairSharePolicy(new FairShareConfig(16, 4, 16, 8, 4, 1, 0)));
    for (int i = 0; i < 1000; i++) {
      disk.submit(read(IoClass.BACKGROUND, i));
      disk.submit(read(IoClass.FOREGROUND_WRITE, i));
      disk.submit(read(IoClass.FOREGROUND_READ, i));
    }
    assertEquals(16, world.disk().inFlight());
    world.runUntil(() -> finished.size() >= 650);
    assertEquals(8.0, (double) finished(IoClass.FOREGROUND_READ) / finished(IoClass.BACKGROUND), 1);
    assertEquals(
        2.0, (double) finished(IoClass.FOREGROUND_READ) / finished(IoClass.FOREGROUND_WRITE), 0.2);
    world.runUntil(() -> finished.size() == 3000);
    assertEquals(0, disk.waiting());
  }

  @Test
  void theLogHasPlacesOfItsOwn() {
    IoScheduler disk = scheduler(new FairSharePolicy(new FairShareConfig(2, 1, 1, 8, 4, 1, 0)));
    for (int i = 0; i < 100; i++) {
      disk.submit(read(IoClass.FOREGROUND_READ, i));
    }
    disk.submit(read(IoClass.LOG, 200));
    disk.submit(read(IoClass.LOG, 201));
    assertEquals(3, world.disk().inFlight());
    world.runUntil(() -> finished(IoClass.LOG) == 2);
    assertTrue(finished(IoClass.FOREGROUND_READ) <= 6, finished.toString());
  }

  @Test
  void theBackgroundIsShallowWhileOthersWantTheDevice() {
    IoScheduler disk = scheduler(new FairSharePolicy(new FairShareConfig(32, 4, 2, 8, 4, 1, 0)));
    for (int i = 0; i < 100; i++) {
      disk.submit(read(IoClass.BACKGROUND, i));
    }
    assertEquals(32, world.disk().inFlight(), "alone it has the whole depth");
    world.runUntil(() -> world.disk().inFlight() == 0);
    disk.submit(read(IoClass.FOREGROUND_READ, 1));
    for (int i = 0; i < 100; i++) {
      disk.submit(read(IoClass.BACKGROUND, i));
    }
    assertEquals(3, world.disk().inFlight());
    world.runUntil(() -> finished.size() == 201);
  }

  @Test
  void noopKeepsTheOrder() {
    IoScheduler disk = scheduler(new NoopPolicy(1));
    disk.submit(read(IoClass.BACKGROUND, 1));
    disk.submit(read(IoClass.FOREGROUND_READ, 2));
    disk.submit(read(IoClass.LOG, 3));
    world.runUntil(() -> finished.size() == 3);
    assertEquals(List.of(IoClass.BACKGROUND, IoClass.FOREGROUND_READ, IoClass.LOG), finished);
  }

  @Test
  void theTraceCharacterises() {
    IoScheduler disk = scheduler(new NoopPolicy(100));
    for (int i = 0; i < 10; i++) {
      disk.submit(read(IoClass.FOREGROUND_READ, 100 + i));
    }
    disk.submit(read(IoClass.BACKGROUND, 50));
    disk.submit(new DiskRequest.Sync(IoClass.LOG, done -> finished.add(IoClass.LOG)));
    world.runUntil(() -> finished.size() == 12);
    BlockTrace.Profile reads = trace.profile(BlockTrace.Direction.READ);
    assertEquals(new BlockTrace.Profile(11, 11, 9, 0), reads);
    assertEquals(4096, reads.meanBytes());
    assertEquals(9.0 / 11, reads.sequentiality());
    assertEquals(1, trace.recorded(IoClass.BACKGROUND));
    List<BlockTrace.Entry> entries = new ArrayList<>();
    trace.forEach(entries::add);
    assertEquals(12, entries.size());
    assertEquals(
        new BlockTrace.Entry(0, BlockTrace.Direction.READ, IoClass.BACKGROUND, 50, 1),
        entries.get(10));
    assertEquals(BlockTrace.Direction.SYNC, entries.getLast().direction());
  }

  @Test
  void theTraceKeepsTheNewest() {
    BlockTrace small = new BlockTrace(world.disk(), world.clock(), 4);
    for (int i = 0; i < 10; i++) {
      small.submit(read(IoClass.FOREGROUND_READ, i));
    }
    List<Long> kept = new ArrayList<>();
    small.forEach(entry -> kept.add(entry.block()));
    assertEquals(List.of(6L, 7L, 8L, 9L), kept);
    assertEquals(10, small.recorded());
    world.runUntil(() -> finished.size() == 10);
  }
}
