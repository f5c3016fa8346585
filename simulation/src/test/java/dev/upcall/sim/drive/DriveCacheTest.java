package dev.upcall.sim.drive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.sim.SimDiskConfig;
import dev.upcall.sim.SimWorld;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** A drive that says that something is written before it is. */
class DriveCacheTest {
  private static final long BLOCKS = 1_000_000;
  private static final int CACHE_BLOCKS = 256;
  private static final DriveConfig CONFIG =
      DriveConfig.fast15k(BLOCKS)
          .withCache(new DriveConfig.WriteCache(CACHE_BLOCKS, 64, 2_000_000));

  private final SimWorld world =
      new SimWorld(5, new SimDiskConfig("drive", BLOCKS, BLOCKS, CONFIG, 512))
          .closesUnchecked("the blocks are no store's");

  private static ByteBuffer filled(int with) {
    ByteBuffer buffer = Disk.newBuffer(Disk.BLOCK_BYTES);
    for (int i = 0; i < buffer.capacity(); i++) {
      buffer.put(i, (byte) with);
    }
    return buffer;
  }

  private static DiskRequest write(long block, CompletionPort<Unit> port) {
    return new DiskRequest.Write(block, List.of(filled(7)), IoClass.FOREGROUND_WRITE, port);
  }

  private static DiskRequest sync(CompletionPort<Unit> port) {
    return new DiskRequest.Sync(IoClass.LOG, port);
  }

  private static DiskRequest read(long block, CompletionPort<Unit> port) {
    return new DiskRequest.Read(block, List.of(filled(0)), IoClass.FOREGROUND_READ, port);
  }

  private long nanos(Function<CompletionPort<Unit>, DiskRequest> request) {
    long begun = world.clock().monotonicNanos();
    world.io(request);
    return world.clock().monotonicNanos() - begun;
  }

  private TreeSet<Integer> fates(long block) {
    TreeSet<Integer> values = new TreeSet<>();
    SplittableRandom fate = new SplittableRandom(7);
    for (int i = 0; i < 100; i++) {
      values.add((int) world.disk().crashImage(fate).read(block)[0]);
    }
    return values;
  }

  @Test
  void aCrashLosesWhatNoSyncCovered() {
    assertEquals(200_000, nanos(p -> write(500_000, p)));
    assertEquals(new TreeSet<>(List.of(0, 7)), fates(500_000));
    assertTrue(nanos(DriveCacheTest::sync) > 5_000_000, "it had to be written first");
    assertEquals(new TreeSet<>(List.of(7)), fates(500_000));
    assertEquals(200_000, nanos(DriveCacheTest::sync), "nothing was left to write");
    assertEquals(7, world.crashAndReopen().disk().contents().read(500_000)[0]);
  }

  @Test
  void aDurableWriteGoesToTheMedium() {
    long nanos =
        nanos(p -> new DiskRequest.DurableWrite(500_000, List.of(filled(7)), IoClass.LOG, p));
    assertTrue(nanos > 5_000_000, "seek and rotation, not " + nanos);
    assertEquals(new TreeSet<>(List.of(7)), fates(500_000));
  }

  @Test
  void whatIsStillToBeWrittenCanBeRead() {
    nanos(p -> write(500_000, p));
    assertEquals(200_000, nanos(p -> read(500_000, p)));
    assertTrue(nanos(p -> read(500_001, p)) > 200_000);
  }

  @Test
  void afterAWhileWithoutWorkItIsWritten() {
    nanos(p -> write(500_000, p));
    boolean[] over = {false};
    world.dispatcher().schedule(30_000_000, () -> over[0] = true);
    world.runUntil(() -> over[0]);
    assertEquals(200_000, nanos(DriveCacheTest::sync));
  }

  @Test
  void aFullCacheWritesInTheOrderOfBlocks() {
    long writes = 20L * CACHE_BLOCKS;
    double sorted = flood(writes) / (double) writes;
    // Each of 256 blocks in a sweep is 1/256 of the way from the next, and half a revolution.
    double expected = 300_000 + 7_200_000 * Math.sqrt(1.0 / CACHE_BLOCKS) + 2_000_000;
    assertEquals(1, sorted / expected, 0.1);
  }

  @Test
  void writesAndSyncsEndBesideEndlessReads() {
    int[] ended = {0};
    boolean[] over = {false};
    SplittableRandom random = new SplittableRandom(4);
    Runnable[] reader = new Runnable[1];
    reader[0] =
        () ->
            world
                .disk()
                .submit(
                    read(
                        random.nextLong(BLOCKS),
                        done -> {
                          if (!over[0]) {
                            reader[0].run();
                          }
                        }));
    for (int i = 0; i < 8; i++) {
      reader[0].run();
    }
    for (int i = 0; i < 2 * CACHE_BLOCKS; i++) {
      world.disk().submit(write(i * 1000L, done -> ended[0]++));
    }
    world.runUntil(() -> ended[0] == 2 * CACHE_BLOCKS);
    world.disk().submit(sync(done -> over[0] = true));
    world.runUntil(() -> over[0]);
    assertEquals(new TreeSet<>(List.of(7)), fates(1000));
    world.runUntil(() -> world.disk().inFlight() == 0);
  }

  /** How long so many writes to random places take, more than the cache holds at any time. */
  private long flood(long writes) {
    SplittableRandom random = new SplittableRandom(9);
    long[] ended = {0};
    TreeSet<Long> inFlight = new TreeSet<>();
    long begun = world.clock().monotonicNanos();
    for (long asked = 0; asked < writes; asked++) {
      long at = asked;
      world.runUntil(() -> at - ended[0] < 4);
      long block = random.nextLong(BLOCKS);
      while (!inFlight.add(block)) {
        block = random.nextLong(BLOCKS);
      }
      long place = block;
      world
          .disk()
          .submit(
              write(
                  place,
                  done -> {
                    inFlight.remove(place);
                    ended[0]++;
                  }));
    }
    world.runUntil(() -> ended[0] == writes);
    return world.clock().monotonicNanos() - begun;
  }
}
