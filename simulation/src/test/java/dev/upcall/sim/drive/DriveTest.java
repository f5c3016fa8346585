package dev.upcall.sim.drive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.sim.ServiceModel;
import dev.upcall.sim.SimDiskConfig;
import dev.upcall.sim.SimWorld;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is known of a drive beforehand, by arithmetic or by a plainer model. */
class DriveTest {
  private static final long BLOCKS = 18_000_000;
  private static final DriveConfig FAST = DriveConfig.fast15k(BLOCKS);
  private static final double MILLIS = 1e6;

  private static SimWorld world(ServiceModel model) {
    return new SimWorld(5, new SimDiskConfig("drive", BLOCKS, BLOCKS, model, 512))
        .closesUnchecked("the blocks are no store's");
  }

  /** Readers who ask again as soon as they are answered. */
  private static final class Readers {
    private final SimWorld world;
    private final int blocks;
    private final LongSupplier places;
    private final long[] nanos;
    private int asked;
    private int answered;

    Readers(SimWorld world, int blocks, int reads, LongSupplier places) {
      this.world = world;
      this.blocks = blocks;
      this.places = places;
      this.nanos = new long[reads];
    }

    /** How long all take if so many read at once. */
    long run(int readers) {
      long begun = world.clock().monotonicNanos();
      for (int i = 0; i < readers; i++) {
        ask(Disk.newBuffer(blocks * Disk.BLOCK_BYTES));
      }
      assertTrue(world.runUntil(() -> answered == nanos.length));
      return world.clock().monotonicNanos() - begun;
    }

    private void ask(ByteBuffer into) {
      if (asked == nanos.length) {
        return;
      }
      asked++;
      long begun = world.clock().monotonicNanos();
      world
          .disk()
          .submit(
              new DiskRequest.Read(
                  places.getAsLong(),
                  List.of(into),
                  IoClass.FOREGROUND_READ,
                  done -> {
                    nanos[answered++] = world.clock().monotonicNanos() - begun;
                    ask(into);
                  }));
    }

    double quantileMillis(double part) {
      long[] sorted = nanos.clone();
      Arrays.sort(sorted);
      return sorted[(int) (part * (sorted.length - 1))] / MILLIS;
    }
  }

  private static Readers random(DriveConfig config, int reads) {
    SplittableRandom random = new SplittableRandom(11);
    return new Readers(world(config), 1, reads, () -> random.nextLong(BLOCKS));
  }

  private static Readers sequential(ServiceModel model, long from, int blocks) {
    long[] next = {from - blocks};
    return new Readers(world(model), blocks, 1000, () -> next[0] += blocks);
  }

  /** A seek by the square root of an even distance, half a revolution, and one block of a track. */
  private static double meanMillis() {
    double pass = 0;
    for (int track = 49; track <= 73; track += 2) {
      pass += 4.0 / track / 13;
    }
    return 0.3 + 7.2 * 8 / 15 + 2.0 + pass;
  }

  /** The part of random reads that take so long at most: all angles, each with all seeks. */
  private static double expectedPart(double millis) {
    double sum = 0;
    for (int step = 0; step < 1000; step++) {
      double seek = millis - 4.0 / 61 - 0.3 - 4.0 * (step + 0.5) / 1000;
      double way = seek <= 0 ? 0 : Math.min(1, seek * seek / (7.2 * 7.2));
      sum += 2 * way - way * way;
    }
    return sum / 1000;
  }

  @Test
  void randomReadsTakeWhatTheCurveAndTheAngleSay() {
    Readers readers = random(FAST, 20_000);
    assertEquals(meanMillis(), readers.run(1) / MILLIS / 20_000, 0.01 * meanMillis());
    for (double part : new double[] {0.05, 0.25, 0.5, 0.75, 0.95}) {
      assertEquals(part, expectedPart(readers.quantileMillis(part)), 0.01);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 32})
  void inTheOrderOfArrivalDepthBringsNothing(int depth) {
    DriveConfig config = FAST.withCommands(depth, DriveConfig.Order.ARRIVAL);
    assertEquals(
        meanMillis(), random(config, 10_000).run(depth) / MILLIS / 10_000, 0.015 * meanMillis());
  }

  @ParameterizedTest
  @CsvSource({"4, 4.2", "32, 2.5"})
  void byShortestAccessItBringsWhatAPlainModelSays(int depth, double roughly) {
    DriveConfig config = FAST.withCommands(depth, DriveConfig.Order.SHORTEST_ACCESS);
    double plain = new PlainDrive(BLOCKS).meanMillis(depth, true, 20_000, new SplittableRandom(12));
    assertEquals(plain, random(config, 20_000).run(depth) / MILLIS / 20_000, 0.02 * plain);
    assertEquals(roughly, plain, 0.1 * roughly);
  }

  @Test
  void aDeeperQueueThanTheDrivesIsOfNoUse() {
    double four = random(FAST, 10_000).run(4);
    assertEquals(1, random(FAST, 10_000).run(32) / four, 0.02);
  }

  @ParameterizedTest
  @CsvSource({"0, 73", "17900000, 49"})
  void sequentialReadsRunAtTheRateOfTheirZone(long from, int trackBlocks) {
    double nanos = sequential(FAST, from, 16).run(1);
    double blocksPerMilli = 16_000 / (nanos / MILLIS);
    assertEquals(trackBlocks / 4.0, blocksPerMilli, 0.02 * blocksPerMilli);
  }

  @Test
  void aFullStrokeTakesTheLongestSeekAndHalfARevolution() {
    Mechanism heads = FAST.geometry().mechanism();
    long sum = 0;
    long least = Long.MAX_VALUE;
    for (int step = 0; step < 1000; step++) {
      long nanos = heads.accessNanos(step * 4_000L, BLOCKS - 1);
      sum += nanos;
      least = Math.min(least, nanos);
    }
    assertEquals(7.5, least / MILLIS, 0.01);
    assertEquals(9.5, sum / MILLIS / 1000, 0.01);
  }

  @Test
  void whoPausesWhileHeReadsIsReadAheadFor() {
    // Sixteen blocks pass in 0.88 ms; the reader thinks for half a millisecond.
    assertEquals(16 * 4.0 / 73, pausing(FAST), 0.05);
    assertEquals(4 + 16 * 4.0 / 73, pausing(FAST.withReadAhead(DriveConfig.ReadAhead.NONE)), 0.05);
  }

  /** The mean time of a read with the pause behind it. */
  private static double pausing(DriveConfig config) {
    SimWorld world = world(config);
    ByteBuffer into = Disk.newBuffer(16 * Disk.BLOCK_BYTES);
    for (int i = 0; i < 200; i++) {
      int at = i;
      world.io(p -> new DiskRequest.Read(at * 16L, List.of(into), IoClass.FOREGROUND_READ, p));
      boolean[] over = {false};
      world.dispatcher().schedule(500_000, () -> over[0] = true);
      world.runUntil(() -> over[0]);
    }
    return world.clock().monotonicNanos() / MILLIS / 200;
  }

  @Test
  void thePapersCostsAreThePapers() {
    DriveConfig paper = DriveConfig.proxyPaper(BLOCKS);
    assertEquals(12.5, random(paper, 1000).run(1) / MILLIS / 1000, 0.05);
    long[] near = {0};
    Readers inAGroup = new Readers(world(paper), 1, 500, () -> near[0] ^= 1000);
    assertEquals(5.5, inAGroup.run(1) / MILLIS / 500, 0.02);
    assertEquals(1.0, sequential(paper, 0, 2).run(1) / MILLIS / 1000, 0.02);
  }

  @Test
  void flashServesAsManyAsItHasChannels() {
    SplittableRandom random = new SplittableRandom(3);
    for (int depth : new int[] {1, 32, 64}) {
      Readers readers =
          new Readers(world(FlashConfig.FLAT), 1, 6400, () -> random.nextLong(BLOCKS));
      assertEquals(100_000 * 6400L / Math.min(depth, 32), readers.run(depth));
    }
  }

  @Test
  void theSameSeedGivesTheSameTrace() {
    long[] hashes = new long[2];
    for (int i = 0; i < 2; i++) {
      Readers readers = random(FAST, 500);
      readers.run(8);
      hashes[i] = readers.world.disk().traceHash();
    }
    assertEquals(hashes[0], hashes[1]);
  }
}
