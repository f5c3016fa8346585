package dev.upcall.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SimDiskTest {
  private static final int BLOCK = Disk.BLOCK_BYTES;

  private static ByteBuffer filled(int blocks, int with) {
    ByteBuffer buffer = Disk.newBuffer(blocks * BLOCK);
    for (int i = 0; i < buffer.capacity(); i++) {
      buffer.put(i, (byte) with);
    }
    return buffer;
  }

  private static DiskRequest.Write write(long block, ByteBuffer from, CompletionPort<Unit> port) {
    return new DiskRequest.Write(block, List.of(from), IoClass.FOREGROUND_WRITE, port);
  }

  private static DiskRequest.DurableWrite durable(
      long block, ByteBuffer from, CompletionPort<Unit> port) {
    return new DiskRequest.DurableWrite(block, List.of(from), IoClass.LOG, port);
  }

  private static DiskRequest.Sync sync(CompletionPort<Unit> port) {
    return new DiskRequest.Sync(IoClass.LOG, port);
  }

  private static int valueAt(DiskImage image, long block) {
    return image.read(block)[0];
  }

  /** All values that block holds in many crash images. */
  private static TreeSet<Integer> fates(SimWorld world, long block) {
    TreeSet<Integer> values = new TreeSet<>();
    SplittableRandom fate = new SplittableRandom(7);
    for (int i = 0; i < 200; i++) {
      byte[] bytes = world.disk().crashImage(fate).read(block);
      for (int at = 0; at < BLOCK; at += 512) {
        values.add((int) bytes[at]);
      }
    }
    return values;
  }

  @Test
  void unsyncedWriteMayBeLostKeptOrTorn() {
    SimWorld world = SimWorld.ofBlocks(1, 16);
    world.get((CompletionPort<Unit> p) -> world.disk().submit(write(3, filled(1, 9), p)));
    assertEquals(new TreeSet<>(List.of(0, 9)), fates(world, 3));
    SplittableRandom fate = new SplittableRandom(7);
    boolean torn = false;
    for (int i = 0; i < 200; i++) {
      byte[] bytes = world.disk().crashImage(fate).read(3);
      torn |= bytes[0] != bytes[BLOCK - 1];
    }
    assertTrue(torn, "never torn within the block");
  }

  @Test
  void durableWritePersistsItsOwnBlocksOnly() {
    SimWorld world = SimWorld.ofBlocks(1, 16);
    world.io(p -> write(3, filled(1, 9), p));
    world.io(p -> durable(4, filled(1, 8), p));
    assertEquals(new TreeSet<>(List.of(0, 9)), fates(world, 3));
    assertEquals(new TreeSet<>(List.of(8)), fates(world, 4));
  }

  @Test
  void durableWriteIsNotOverwrittenByAnOlderWrite() {
    SimWorld world = SimWorld.ofBlocks(1, 16);
    world.io(p -> write(4, filled(2, 7), p));
    world.io(p -> durable(4, filled(1, 8), p));
    assertEquals(new TreeSet<>(List.of(8)), fates(world, 4));
    assertEquals(new TreeSet<>(List.of(0, 7)), fates(world, 5));
  }

  @Test
  void syncCoversOnlyWhatHadCompletedBeforeItWasSubmitted() {
    SimWorld world = new SimWorld(1, SimDiskConfig.ofBlocks(16).withLatency(100_000, 100_000));
    world.io(p -> write(1, filled(1, 5), p));
    world.disk().submit(write(2, filled(1, 6), ignored -> {}));
    world.io(SimDiskTest::sync);
    assertEquals(new TreeSet<>(List.of(5)), fates(world, 1));
    assertEquals(new TreeSet<>(List.of(0, 6)), fates(world, 2));
  }

  @Test
  void failedSyncIsNotHealedByTheNext() {
    SimWorld world = SimWorld.ofBlocks(1, 16);
    world.io(p -> write(1, filled(1, 5), p));
    world.disk().setFaults(FaultPlan.NONE.withErrors(0, 0, 1_000_000));
    assertInstanceOf(Completion.Failed.class, world.io(SimDiskTest::sync));
    world.disk().setFaults(FaultPlan.NONE);
    assertEquals(Completion.done(), world.io(SimDiskTest::sync));
    assertEquals(new TreeSet<>(List.of(0, 5)), fates(world, 1));
    world.io(p -> write(1, filled(1, 6), p));
    world.io(SimDiskTest::sync);
    assertEquals(new TreeSet<>(List.of(6)), fates(world, 1));
  }

  @Test
  void crashStopsEverythingAtTheStep() {
    for (long step = 1; step <= 4; step++) {
      SimWorld world = SimWorld.ofBlocks(1, 16);
      world.disk().setFaults(FaultPlan.crashAt(step));
      List<Integer> completed = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        int id = i;
        world.disk().submit(durable(i, filled(1, 1 + i), done -> completed.add(id)));
      }
      assertFalse(world.runUntil(() -> completed.size() == 2));
      assertEquals(Math.max(0, step - 3), completed.size());
      SimWorld next = world.crashAndReopen();
      for (int id : completed) {
        assertEquals(1 + id, valueAt(next.disk().contents(), id));
      }
    }
  }

  @Test
  void unsyncedGrowthMayBeLostWithWhatWasWrittenThere() {
    SimWorld world = SimWorld.ofBlocks(1, 16);
    world.io(p -> new DiskRequest.Allocate(16, 8, IoClass.BACKGROUND, p));
    world.io(p -> write(20, filled(1, 5), p));
    TreeSet<Long> sizes = new TreeSet<>();
    SplittableRandom fate = new SplittableRandom(7);
    for (int i = 0; i < 100; i++) {
      DiskImage image = world.disk().crashImage(fate);
      sizes.add(image.sizeBlocks());
      assertTrue(image.sizeBlocks() == 24 || valueAt(image, 20) == 0);
    }
    assertEquals(new TreeSet<>(List.of(16L, 24L)), sizes);
  }

  @Test
  void deviceFillsUp() {
    SimWorld world = new SimWorld(1, SimDiskConfig.ofBlocks(16).withCapacity(20));
    Completion<Unit> refused =
        world.io(p -> new DiskRequest.Allocate(16, 8, IoClass.BACKGROUND, p));
    assertInstanceOf(Failure.VolumeFull.class, ((Completion.Failed<Unit>) refused).failure());
    assertEquals(
        Completion.done(), world.io(p -> new DiskRequest.Allocate(16, 4, IoClass.BACKGROUND, p)));
    world.io(p -> new DiskRequest.Discard(4, 4, IoClass.BACKGROUND, p));
    world.disk().setCapacity(17);
    assertEquals(Completion.done(), world.io(p -> write(4, filled(1, 1), p)));
    assertInstanceOf(
        Failure.VolumeFull.class,
        ((Completion.Failed<Unit>) world.io(p -> write(5, filled(1, 1), p))).failure());
    assertEquals(Completion.done(), world.io(p -> write(9, filled(1, 1), p)));
  }

  @Test
  void liesAreTold() {
    SimWorld world = SimWorld.ofBlocks(1, 64);
    world.disk().setFaults(FaultPlan.NONE.withLies(0, 1_000_000, 0).within(8, 64));
    world.io(p -> write(1, filled(1, 5), p));
    assertEquals(5, valueAt(world.disk().contents(), 1));
    world.io(p -> write(10, filled(1, 6), p));
    int found = 0;
    for (int i = 8; i < 64; i++) {
      found += valueAt(world.disk().contents(), i) == 6 ? 1 : 0;
    }
    assertEquals(1, found);
    world.disk().setFaults(FaultPlan.NONE.withLies(1_000_000, 0, 0));
    ByteBuffer into = Disk.newBuffer(BLOCK);
    world.io(p -> new DiskRequest.Read(40, List.of(into), IoClass.FOREGROUND_READ, p));
    assertNotEquals(-1, into.mismatch(Disk.newBuffer(BLOCK)));
    assertThrows(
        AssertionError.class, () -> world.runUntil(() -> false), "a run that cannot end fails");
  }

  @Test
  void programmersErrorsStopTheTest() {
    SimWorld world = SimWorld.ofBlocks(1, 16);
    ByteBuffer buffer = filled(1, 5);
    assertThrows(
        Invariants.Violation.class,
        () -> world.disk().submit(write(1, ByteBuffer.allocateDirect(100), done -> {})));
    world.disk().submit(write(1, buffer, done -> {}));
    assertThrows(
        Invariants.Violation.class, () -> world.disk().submit(write(1, filled(1, 6), d -> {})));
    buffer.put(0, (byte) 6);
    assertThrows(Invariants.Violation.class, world::runUntilIdle);
  }

  @Test
  void sameSeedSameTrace() {
    assertEquals(run(5), run(5));
    assertNotEquals(run(5), run(6));
  }

  private static long run(long seed) {
    SimWorld world = SimWorld.ofBlocks(seed, 64);
    SplittableRandom random = world.random().split();
    for (int i = 0; i < 200; i++) {
      long block = random.nextInt(64);
      world.io(p -> write(block, filled(1, (int) block), p));
      if (i % 10 == 0) {
        world.io(SimDiskTest::sync);
      }
    }
    return world.disk().traceHash() * 31 + world.crashAndReopen().disk().contents().digest();
  }

  @Test
  void forksAreIndependent() {
    DiskImage image = new DiskImage(1000);
    DiskImage[] forks = new DiskImage[50];
    for (int i = 0; i < forks.length; i++) {
      byte[] bytes = new byte[BLOCK];
      bytes[0] = (byte) (i + 1);
      image.put(i * 7, bytes);
      forks[i] = image.fork();
    }
    for (int i = 0; i < forks.length; i++) {
      for (int j = 0; j < forks.length; j++) {
        assertEquals(j <= i ? j + 1 : 0, valueAt(forks[i], j * 7));
      }
    }
    forks[49].discard(7, 7 * 48);
    assertEquals(0, valueAt(forks[49], 7));
    assertEquals(50, valueAt(forks[49], 49 * 7));
    assertEquals(2, valueAt(image, 7));
  }

  @Test
  void closingIsACrashTestToo() {
    SimWorld world = SimWorld.ofBlocks(3, 16);
    List<Integer> found = new ArrayList<>();
    world.whenDiskCloses(
        survivor -> {
          assertNotEquals(world.dispatcher(), survivor.dispatcher());
          ByteBuffer into = Disk.newBuffer(BLOCK);
          survivor.io(p -> new DiskRequest.Read(2, List.of(into), IoClass.FOREGROUND_READ, p));
          found.add((int) into.get(0));
        });
    world.io(p -> durable(2, filled(1, 8), p));
    world.get(world.disk()::close);
    world.get(world.disk()::close);
    assertEquals(List.of(8), found.subList(found.size() - 1, found.size()));
    assertTrue(found.size() > 1, "moments before the close");
    assertThrows(
        Invariants.Violation.class, () -> SimWorld.ofBlocks(3, 16).disk().close(completion -> {}));
  }

  @Test
  void stragglersAreOvertaken() {
    SimWorld world = SimWorld.ofBlocks(3, 16);
    List<Integer> order = new ArrayList<>();
    world.disk().setFaults(FaultPlan.NONE.withStragglers(1_000_000));
    world.disk().submit(write(0, filled(1, 1), done -> order.add(0)));
    world.disk().setFaults(FaultPlan.NONE);
    for (int i = 1; i < 5; i++) {
      int id = i;
      world.disk().submit(write(i, filled(1, 1), done -> order.add(id)));
    }
    world.runUntil(() -> order.size() == 5);
    assertEquals(0, order.getLast());
  }
}
