package dev.upcall.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.upcall.base.Invariants;
import dev.upcall.buffer.replacement.LruPolicy;
import dev.upcall.buffer.replacement.ReplacementPolicy;
import dev.upcall.buffer.replacement.ReplacementPolicyTap;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.LeaseOwner;
import dev.upcall.io.Disk;
import dev.upcall.io.IoClass;
import dev.upcall.sim.FaultPlan;
import dev.upcall.space.Extent;
import java.lang.management.ManagementFactory;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BufferManagerTest {
  private static final LeaseOwner OWNER = BufferWorld.OWNER;

  private final BufferWorld w = new BufferWorld(1, 8, 1024);
  private final BufferManager buffers = w.buffers;

  @Test
  void readsFromDiskOnceAndPinsAfterwards() {
    assertNull(buffers.pin(10, 4, OWNER));
    w.readAndRelease(10, 4);
    long requests = w.world.disk().requests();
    Lease lease = buffers.pin(11, 3, OWNER);
    assertNotNull(lease);
    assertEquals(11, lease.firstBlock());
    assertTrue(lease.buffer().isDirect());
    assertEquals(ByteOrder.LITTLE_ENDIAN, lease.buffer().order());
    w.checkBytes(lease, 11, null);
    lease.release();
    Lease rest = buffers.pin(12, 3, OWNER);
    assertEquals(2, rest.blocks(), "where the frame ends");
    w.checkBytes(rest, 12, null);
    rest.release();
    w.readAndRelease(10, 4);
    assertEquals(requests, w.world.disk().requests());
    assertEquals(3, buffers.counters().hits());
    assertEquals(1, buffers.counters().misses());
    buffers.close();
  }

  @Test
  void aLongRunIsOneRequestInFramesOf16Blocks() {
    List<Lease> leases = w.read(100, 100);
    w.check(leases, 100, 100);
    assertEquals(1, w.world.disk().requests());
    assertEquals(7, leases.size());
    BufferWorld.release(leases);
    buffers.close();
  }

  @Test
  void readsOnlyTheGaps() {
    w.readAndRelease(8, 4);
    w.readAndRelease(20, 4);
    assertEquals(2, w.world.disk().requests());
    w.readAndRelease(0, 32);
    assertEquals(5, w.world.disk().requests());
    assertEquals(32 * Disk.BLOCK_BYTES, buffers.counters().loadedBytes());
    buffers.close();
  }

  @Test
  void concurrentReadsShareTheLoad() {
    List<Completion<List<Lease>>> done = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      buffers.read(w.run(64 + i, 8), IoClass.FOREGROUND_READ, OWNER, done::add);
    }
    assertTrue(done.isEmpty());
    assertTrue(buffers.isReading(new Extent(60, 5)));
    w.world.runUntilIdle();
    assertFalse(buffers.isReading(new Extent(60, 5)));
    assertEquals(5, done.size());
    assertEquals(12L * Disk.BLOCK_BYTES, buffers.counters().loadedBytes());
    for (int i = 0; i < 5; i++) {
      List<Lease> leases = leases(done.get(i));
      w.check(leases, 64 + i, 8);
      BufferWorld.release(leases);
    }
    buffers.close();
  }

  @Test
  void neverCompletesInsideTheCall() {
    w.readAndRelease(0, 4);
    List<Object> done = new ArrayList<>();
    buffers.read(w.run(0, 4), IoClass.FOREGROUND_READ, OWNER, c -> done.add(c));
    buffers.allocate(4, OWNER, c -> done.add(c));
    buffers.allocate(17, OWNER, c -> done.add(c));
    assertTrue(done.isEmpty());
    w.world.runUntilIdle();
    assertEquals(3, done.size());
    assertInstanceOf(
        Failure.TooLarge.class, ((Completion.Failed<?>) done.get(2)).failure(), "17 blocks");
  }

  @Test
  void wrongBytesAreCorruptForAllWhoWaitAndAreNeverKept() {
    w.world.disk().contents().flipBit(35, 12345);
    List<Completion<List<Lease>>> done = new ArrayList<>();
    buffers.read(w.run(32, 8), IoClass.FOREGROUND_READ, OWNER, done::add);
    buffers.read(w.run(34, 8), IoClass.FOREGROUND_READ, OWNER, done::add);
    w.world.runUntilIdle();
    for (Completion<List<Lease>> completion : done) {
      Failure.Corrupt corrupt =
          assertInstanceOf(Failure.Corrupt.class, ((Completion.Failed<?>) completion).failure());
      assertEquals(35L * Disk.BLOCK_BYTES, corrupt.offsetBytes());
      assertEquals("content", corrupt.structure());
      assertEquals(w.world.disk().name(), corrupt.volume());
    }
    assertEquals(2, done.size());
    assertNull(buffers.pin(32, 1, OWNER));
    assertEquals(1, buffers.counters().corruptFrames());
    w.world.disk().contents().flipBit(35, 12345);
    w.readAndRelease(32, 8);
    buffers.close();
  }

  @Test
  void aDeviceErrorIsDelivered() {
    w.world.disk().setFaults(FaultPlan.NONE.withErrors(1_000_000, 0, 0));
    assertInstanceOf(Failure.Device.class, w.readFails(0, 40));
    assertEquals(0, buffers.counters().usedBytes());
    w.world.disk().setFaults(FaultPlan.NONE);
    w.readAndRelease(0, 40);
    buffers.close();
  }

  @Test
  void whoJoinedALoadThatFailsTriesOnItsOwn() {
    w.world.disk().setFaults(FaultPlan.NONE.withFailAt(1));
    buffers.prefetch(w.run(0, 16), IoClass.READ_AHEAD);
    List<Completion<List<Lease>>> done = new ArrayList<>();
    buffers.read(w.run(2, 2), IoClass.FOREGROUND_READ, OWNER, done::add);
    w.world.runUntilIdle();
    assertEquals(1, buffers.counters().failedLoads());
    List<Lease> leases = leases(done.getFirst());
    w.check(leases, 2, 2);
    BufferWorld.release(leases);
    buffers.close();
  }

  @Test
  void allocationWaitsForMemoryFirstComeFirstServed() {
    List<Lease> held = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      held.add(w.world.get(port -> buffers.allocate(16, OWNER, port)));
    }
    assertEquals(8L * BufferWorld.GROUP, buffers.counters().privateBytes());
    assertNull(buffers.tryAllocate(1, OWNER));
    List<String> order = new ArrayList<>();
    List<Lease> got = new ArrayList<>();
    buffers.allocate(16, OWNER, c -> take(c, "large", order, got));
    buffers.allocate(1, OWNER, c -> take(c, "small", order, got));
    buffers.read(w.run(0, 2), IoClass.FOREGROUND_READ, OWNER, c -> order.add("read"));
    w.aSecond();
    assertTrue(order.isEmpty());
    assertEquals(3, buffers.counters().waiting());
    held.removeFirst().release();
    w.aSecond();
    assertEquals(List.of("large"), order);
    assertNull(buffers.tryAllocate(1, OWNER), "others wait");
    held.removeFirst().release();
    w.aSecond();
    assertEquals(List.of("large", "small", "read"), order);
  }

  @Test
  void theQueueForMemoryIsBounded() {
    BufferWorld small =
        new BufferWorld(3, 64, BufferConfig.ofBudget(BufferWorld.GROUP).withMaxWaiting(2));
    Lease held = small.buffers.tryAllocate(16, OWNER);
    List<Completion<?>> done = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      small.buffers.allocate(1, OWNER, done::add);
    }
    small.aSecond();
    assertEquals(1, done.size());
    assertInstanceOf(Failure.Busy.class, ((Completion.Failed<?>) done.getFirst()).failure());
    assertEquals(1, small.buffers.counters().refused());
    held.release();
    small.world.runUntilIdle();
    assertEquals(3, done.size());
  }

  /**
   * Two that hold something and want what the other holds: the first gives up, the other goes on.
   */
  @Test
  void theFirstOfThoseThatWaitIsRefusedWhenNobodyIsServedForLong() {
    List<Lease> held = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      held.add(buffers.tryAllocate(16, OWNER));
    }
    List<Completion<Lease>> first = new ArrayList<>();
    List<Completion<Lease>> second = new ArrayList<>();
    buffers.allocate(
        16,
        OWNER,
        completion -> {
          first.add(completion);
          held.removeFirst().release();
        });
    w.aSecond();
    buffers.allocate(16, OWNER, second::add);
    w.world.runUntilIdle();
    assertInstanceOf(Failure.Busy.class, ((Completion.Failed<?>) first.getFirst()).failure());
    ((Completion.Done<Lease>) second.getFirst()).value().release();
    assertEquals(30, w.world.dispatcher().upcallNanos() / 1_000_000_000L);
    assertEquals(1, buffers.counters().refused());
    held.forEach(Lease::release);
    buffers.close();
  }

  @Test
  void aReadThatNeedsAllMemoryGetsIt() {
    BufferWorld small = new BufferWorld(4, 1, 64);
    small.readAndRelease(0, 16);
    // The frame of 0..15 overlaps, and fills the memory.
    small.readAndRelease(8, 16);
    assertInstanceOf(Failure.TooLarge.class, small.readFails(0, 17));
    small.buffers.close();
  }

  @Test
  void publishedContentIsFoundWithoutARead() {
    Lease lease = buffers.tryAllocate(16, OWNER);
    assertEquals(-1, lease.firstBlock());
    for (int block = 200; block < 203; block++) {
      lease.buffer().put((block - 200) * Disk.BLOCK_BYTES, BufferWorld.content(block, 7));
      w.write(block, 7);
    }
    buffers.publish(lease, 200, 3);
    assertEquals(3, lease.blocks());
    assertEquals(3L * Disk.BLOCK_BYTES, buffers.counters().usedBytes());
    assertEquals(0, buffers.counters().privateBytes());
    lease.release();
    w.readAndRelease(200, 3);
    assertEquals(0, w.world.disk().requests());
    Lease again = buffers.pin(200, 3, OWNER);
    again.release();
    buffers.close();
  }

  @Test
  void forgottenContentIsNotFoundButItsHoldersKeepIt() {
    w.readAndRelease(0, 32);
    Lease held = buffers.pin(4, 2, OWNER);
    buffers.forget(new Extent(5, 1));
    assertNull(buffers.pin(4, 1, OWNER));
    assertNotNull(release(buffers.pin(16, 1, OWNER)));
    w.write(4, 1);
    w.write(5, 1);
    w.readAndRelease(0, 16);
    w.checkBytes(held, 4, new int[] {0, 0});
    held.release();
    assertEquals(32L * Disk.BLOCK_BYTES, buffers.counters().usedBytes());
    buffers.close();
  }

  @Test
  void forgettingDuringALoadHidesWhatItBrings() {
    List<Completion<List<Lease>>> done = new ArrayList<>();
    BlockRun old = w.run(50, 4);
    buffers.read(old, IoClass.FOREGROUND_READ, OWNER, done::add);
    buffers.forget(new Extent(50, 4));
    w.expect(50, 1);
    Lease fresh = buffers.tryAllocate(1, OWNER);
    fresh.buffer().put(BufferWorld.content(50, 1));
    buffers.publish(fresh, 50);
    fresh.release();
    w.world.runUntilIdle();
    List<Lease> leases = leases(done.getFirst());
    w.checkBytes(leases.getFirst(), 50, new int[4]);
    BufferWorld.release(leases);
    w.readAndRelease(50, 1);
    buffers.close();
  }

  @Test
  void aForgottenLoadThatFindsNewBytesIsAConflictNotCorruption() {
    List<Completion<List<Lease>>> done = new ArrayList<>();
    buffers.read(w.run(50, 4), IoClass.FOREGROUND_READ, OWNER, done::add);
    buffers.forget(new Extent(50, 4));
    w.write(52, 1);
    w.world.runUntilIdle();
    assertInstanceOf(Failure.Conflict.class, ((Completion.Failed<?>) done.getFirst()).failure());
    assertEquals(0, buffers.counters().usedBytes());
    buffers.close();
  }

  @Test
  void prefetchLoadsInTheBackgroundAndYieldsToThoseWhoWait() {
    assertEquals(16, buffers.prefetch(w.run(0, 16), IoClass.READ_AHEAD));
    w.world.runUntilIdle();
    assertEquals(16, buffers.prefetch(w.run(0, 16), IoClass.READ_AHEAD), "in memory");
    long requests = w.world.disk().requests();
    w.readAndRelease(0, 16);
    assertEquals(requests, w.world.disk().requests());
    assertEquals(16, buffers.prefetch(w.run(100, 200), IoClass.READ_AHEAD), "its part of memory");
    assertTrue(buffers.counters().prefetchesDropped() > 0);
    w.world.runUntilIdle();
    List<Lease> held = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      held.add(buffers.tryAllocate(16, OWNER));
    }
    assertEquals(0, buffers.prefetch(w.run(500, 4), IoClass.READ_AHEAD));
    w.world.runUntilIdle();
    assertNull(buffers.pin(500, 1, OWNER));
    held.forEach(Lease::release);
    buffers.close();
  }

  @Test
  void retainNeedsOneMoreReleaseAndReleasingTwiceIsAnError() {
    Lease lease = buffers.tryAllocate(2, OWNER);
    lease.retain();
    lease.release();
    assertEquals(1, buffers.counters().leases());
    lease.release();
    assertEquals(0, buffers.counters().leases());
    assertThrows(Invariants.Violation.class, lease::release);
    assertThrows(Invariants.Violation.class, lease::retain);
  }

  @Test
  void releasesFromOtherThreadsComeHome() throws InterruptedException {
    List<Lease> leases = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      leases.add(buffers.tryAllocate(1, OWNER));
    }
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      List<Lease> share = leases.subList(t * 16, t * 16 + 16);
      threads.add(Thread.ofPlatform().start(() -> share.forEach(Lease::release)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(64, buffers.counters().leases());
    w.world.dispatcher().turn(false);
    assertEquals(0, buffers.counters().leases());
    assertEquals(0, buffers.counters().usedBytes());
    buffers.close();
  }

  @Test
  void theLedgerNamesHoldersAndCloseFailsLoudly() {
    LeaseOwner other = new LeaseOwner("http-session", 42);
    Lease first = buffers.tryAllocate(2, other);
    Lease second = buffers.tryAllocate(3, other);
    Lease third = buffers.tryAllocate(1, OWNER);
    LedgerSnapshot.Holder holder = buffers.ledger().holders().getFirst();
    assertEquals(other, holder.owner());
    assertEquals(2, holder.leases());
    assertEquals(5L * Disk.BLOCK_BYTES, holder.bytes());
    assertTrue(holder.origins().getFirst().startsWith(BufferManagerTest.class.getName()));
    third.release();
    Invariants.Violation violation = assertThrows(Invariants.Violation.class, buffers::close);
    assertTrue(violation.getMessage().contains("http-session 42 holds 2 leases"));
    assertTrue(violation.getMessage().contains("BufferManagerTest"));
    first.release();
    second.release();
    assertEquals("no leases are out", buffers.ledger().print());
  }

  @Test
  void closingRefusesWhatWaitsAndLetsLoadsEnd() {
    List<Completion<?>> done = new ArrayList<>();
    List<Lease> held = new ArrayList<>();
    buffers.read(w.run(0, 4), IoClass.FOREGROUND_READ, OWNER, done::add);
    for (int i = 0; i < 7; i++) {
      held.add(buffers.tryAllocate(16, OWNER));
    }
    buffers.allocate(16, OWNER, done::add);
    held.forEach(Lease::release);
    List<Completion<Unit>> closed = new ArrayList<>();
    buffers.close(closed::add);
    buffers.allocate(1, OWNER, done::add);
    buffers.prefetch(w.run(10, 1), IoClass.READ_AHEAD);
    assertThrows(Invariants.Violation.class, () -> buffers.pin(0, 1, OWNER));
    w.world.runUntilIdle();
    assertEquals(3, done.size());
    for (Completion<?> completion : done) {
      assertInstanceOf(Failure.Closed.class, ((Completion.Failed<?>) completion).failure());
    }
    assertEquals(List.of(Completion.done()), closed);
  }

  @Test
  void aMixOfSizesThatChangesFindsItsMemory() {
    // Full of single blocks, then of whole groups, then of single blocks again.
    for (int i = 0; i < 256; i++) {
      w.readAndRelease(i * 2, 1);
    }
    for (int i = 0; i < 16; i++) {
      w.readAndRelease(i * 16, 16);
    }
    List<Lease> all = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      all.add(buffers.tryAllocate(16, OWNER));
    }
    all.forEach(Lease::release);
    for (int i = 0; i < 128; i++) {
      all.set(0, buffers.tryAllocate(1, OWNER));
      assertNotNull(all.getFirst());
      all.getFirst().release();
    }
    buffers.close();
  }

  @Test
  void aBudgetAboveTheLimitOfTheJvmIsAClearError() {
    BufferConfig config = BufferConfig.ofBudget(1L << 30);
    IllegalArgumentException error =
        assertThrows(IllegalArgumentException.class, () -> new SlabMemory(config, 1 << 30));
    assertTrue(error.getMessage().contains("-XX:MaxDirectMemorySize="));
    assertThrows(IllegalArgumentException.class, () -> BufferConfig.ofBudget(1000));
    assertTrue(JvmMemory.directLimitBytes() > 0);
  }

  @Test
  void aHitAllocatesTheLeaseAndHardlyMore() {
    w.readAndRelease(0, 16);
    BufferWorld plain = new BufferWorld(1, 64, BufferConfig.ofBudget(BufferWorld.GROUP));
    plain.readAndRelease(0, 16);
    ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    int rounds = 20_000;
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < rounds; i++) {
      plain.buffers.pin(i % 16, 1, OWNER).release();
    }
    long each = (threads.getCurrentThreadAllocatedBytes() - before) / rounds;
    assertTrue(each <= 128, each + " bytes allocated for a hit");
    plain.buffers.close();
  }

  @Test
  void checksummingIsCutIntoSlices() {
    BufferWorld[] world = new BufferWorld[1];
    int[] admitted = {0};
    List<Integer> admittedByFirstUpcall = new ArrayList<>();
    BufferConfig config = BufferConfig.ofBudget(8L * BufferWorld.GROUP);
    ReplacementPolicy watching =
        new ReplacementPolicyTap(new LruPolicy(config.capacityBlocks())) {
          @Override
          public void admit(int frame, long block, int blocks) {
            super.admit(frame, block, blocks);
            if (++admitted[0] == 1) {
              // Runs between this upcall and the next of the load.
              world[0].world.dispatcher().post(() -> admittedByFirstUpcall.add(admitted[0]));
            }
          }
        };
    world[0] = new BufferWorld(1, 512, config, watching);
    world[0].readAndRelease(256, 112);
    assertEquals(List.of(Load.SLICE_BLOCKS / 16), admittedByFirstUpcall);
    assertEquals(112 / 16, admitted[0]);
    world[0].buffers.close();
  }

  private static Lease release(Lease lease) {
    lease.release();
    return lease;
  }

  private static void take(
      Completion<Lease> completion, String name, List<String> order, List<Lease> got) {
    order.add(name);
    got.add(((Completion.Done<Lease>) completion).value());
  }

  private static List<Lease> leases(Completion<List<Lease>> completion) {
    if (completion instanceof Completion.Done<List<Lease>> done) {
      return done.value();
    }
    throw new AssertionError("got " + completion);
  }
}
