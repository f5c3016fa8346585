package dev.upcall.io.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.io.elevator.NoopPolicy;
import dev.upcall.sim.SimDiskConfig;
import dev.upcall.sim.SimWorld;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class IoSchedulerTest {
  private final SimWorld world =
      new SimWorld(1, SimDiskConfig.ofBlocks(4096).withLatency(100_000, 100_000));
  private final List<IoClass> finished = new ArrayList<>();

  private IoScheduler scheduler(SchedulingPolicy policy) {
    return new IoScheduler(world.disk(), world.dispatcher(), policy);
  }

  private IoScheduler fair(int depth, int logDepth, int backgroundDepth, PacingConfig pacing) {
    FairShareConfig config =
        new FairShareConfig(
            depth, logDepth, backgroundDepth, FairShareConfig.Weights.DEFAULT, 0, pacing);
    return scheduler(new FairSharePolicy(config, world.dispatcher()::upcallNanos));
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
    IoScheduler disk = fair(16, 4, 16, PacingConfig.OFF);
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
    IoScheduler disk = fair(2, 1, 1, PacingConfig.OFF);
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
    IoScheduler disk = fair(32, 4, 2, PacingConfig.OFF);
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
  void readAheadIsShallowWhileSomebodyWaitsForAReadAndComesBeforeTheBackground() {
    IoScheduler disk = fair(32, 4, 2, PacingConfig.OFF);
    for (int i = 0; i < 100; i++) {
      disk.submit(read(IoClass.BACKGROUND, i));
      disk.submit(read(IoClass.READ_AHEAD, i));
    }
    world.runUntil(() -> finished.size() >= 100);
    assertTrue(finished(IoClass.BACKGROUND) <= 8, "its depth beside read-ahead is 2");
    world.runUntil(() -> finished.size() == 200);
    disk.submit(read(IoClass.FOREGROUND_READ, 1));
    for (int i = 0; i < 100; i++) {
      disk.submit(read(IoClass.READ_AHEAD, i));
    }
    assertEquals(3, world.disk().inFlight());
    world.runUntil(() -> finished.size() == 301);
  }

  @Test
  void theBackgroundRestsBetweenItsRequestsWhileOthersRead() {
    IoScheduler disk = fair(32, 4, 8, new PacingConfig(10_000_000, 3, 50_000_000));
    disk.submit(read(IoClass.FOREGROUND_READ, 1));
    for (int i = 0; i < 100; i++) {
      disk.submit(read(IoClass.BACKGROUND, i));
    }
    assertEquals(2, world.disk().inFlight());
    long begun = world.clock().monotonicNanos();
    world.runUntil(() -> finished(IoClass.BACKGROUND) == 20);
    // One takes 0.1 ms, and then the device has 0.3 ms for others.
    assertEquals(19 * 400_000 + 100_000, world.clock().monotonicNanos() - begun);
    world.runUntil(() -> finished.size() == 101);
    long took = world.clock().monotonicNanos() - begun;
    assertTrue(took < 11_000_000, "nobody has read for 10 ms: the rest went at once, not " + took);
  }

  @Test
  void aPacedBackgroundGoesOnWhileReadsNeverEnd() {
    IoScheduler disk = fair(2, 1, 1, new PacingConfig(10_000_000, 3, 200_000));
    endless(disk);
    endless(disk);
    for (int i = 0; i < 50; i++) {
      disk.submit(read(IoClass.BACKGROUND, i));
    }
    assertTrue(world.runUntil(() -> finished.size() == 50));
    readsEnd = true;
    assertTrue(world.runUntil(() -> world.disk().inFlight() == 0));
    assertEquals(0, disk.waiting());
  }

  private boolean readsEnd;

  private void endless(IoScheduler disk) {
    disk.submit(
        new DiskRequest.Read(
            7,
            List.of(Disk.newBuffer(Disk.BLOCK_BYTES)),
            IoClass.FOREGROUND_READ,
            done -> {
              if (!readsEnd) {
                endless(disk);
              }
            }));
  }

  @Test
  void whatRestsIsLiftedWhenSomebodyWaitsForIt() {
    IoScheduler disk = fair(8, 4, 4, PacingConfig.DEFAULT);
    disk.submit(read(IoClass.FOREGROUND_READ, 1));
    for (int i = 0; i < 6; i++) {
      disk.submit(read(IoClass.BACKGROUND, i));
    }
    world.runUntil(() -> finished(IoClass.BACKGROUND) == 1);
    assertEquals(0, world.disk().inFlight(), "the rest rests");
    disk.lift();
    assertEquals(5, world.disk().inFlight());
    assertEquals(0, disk.waiting());
    world.runUntil(() -> finished(IoClass.BACKGROUND) == 6);
    disk.submit(read(IoClass.BACKGROUND, 7));
    assertEquals(1, disk.waiting(), "who comes later rests as before");
  }

  @Test
  void whatRestsIsSentBeforeTheDiskCloses() {
    world.closesUnchecked("the blocks are no store's");
    IoScheduler disk = fair(32, 4, 8, new PacingConfig(10_000_000, 3, 50_000_000));
    disk.submit(read(IoClass.FOREGROUND_READ, 1));
    disk.submit(read(IoClass.BACKGROUND, 2));
    disk.submit(read(IoClass.BACKGROUND, 3));
    List<Completion<Unit>> closed = new ArrayList<>();
    disk.close(closed::add);
    assertTrue(world.runUntil(() -> closed.size() == 1));
    assertEquals(3, finished.size());
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
}
