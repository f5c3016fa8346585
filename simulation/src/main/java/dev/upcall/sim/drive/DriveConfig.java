package dev.upcall.sim.drive;

import dev.upcall.base.Clock;
import dev.upcall.base.Invariants;
import dev.upcall.io.Disk;
import dev.upcall.sim.ServiceModel;
import dev.upcall.sim.ServiceTime;
import dev.upcall.sim.SimReactor;
import java.util.SplittableRandom;

/**
 * A drive with heads.
 *
 * @param geometry where blocks are, and what it takes to get there
 * @param commands which commands it chooses from
 * @param readAhead what it reads without being asked
 * @param cache what it says is written before it is
 * @param electronicNanos a request that needs no medium
 */
public record DriveConfig(
    Geometry geometry,
    Commands commands,
    ReadAhead readAhead,
    WriteCache cache,
    long electronicNanos)
    implements ServiceModel {

  /** Which command is next. */
  public enum Order {
    /** The one that came first. */
    ARRIVAL,
    /** The one that the heads can reach soonest. */
    SHORTEST_ACCESS
  }

  /**
   * The command queue. What comes beyond its depth waits outside, first come, first served.
   *
   * @param depth commands that the drive knows of
   * @param order in which it serves them
   * @param patienceNanos one that has waited for longer goes first, whatever the order
   */
  public record Commands(int depth, Order order, long patienceNanos) {
    /** Checks the limits. */
    public Commands {
      Invariants.check(depth > 0, "depth", depth);
      Invariants.check(patienceNanos > 0, "patience", patienceNanos);
    }
  }

  /**
   * Segments that hold what passed under the heads behind a read while nothing else was asked for.
   *
   * @param segments how many; 0 for none
   * @param segmentBlocks what each holds
   */
  public record ReadAhead(int segments, int segmentBlocks) {
    /** The drive reads what it is asked for. */
    public static final ReadAhead NONE = new ReadAhead(0, 0);
  }

  /**
   * Memory for blocks that are still to be written. A sync has all written that came before it, a
   * durable write goes to the medium.
   *
   * @param blocks how much; 0 for none
   * @param runBlocks written at a time at most
   * @param idleNanos begins to write when nothing was asked for so long, or the memory is full
   */
  public record WriteCache(int blocks, int runBlocks, long idleNanos) {
    /** What is written is on the medium. */
    public static final WriteCache OFF = new WriteCache(0, 1, 0);

    /** Checks the limits. */
    public WriteCache {
      Invariants.check(blocks >= 0 && runBlocks > 0 && idleNanos >= 0, "cache", blocks);
      Invariants.check(
          blocks == 0 || blocks >= Disk.MAX_TRANSFER_BYTES / Disk.BLOCK_BYTES,
          "a cache holds the largest transfer, not",
          blocks);
    }
  }

  /** Checks the limits. */
  public DriveConfig {
    Invariants.check(electronicNanos > 0, "electronic", electronicNanos);
  }

  /** How long a command waits at most before one that is nearer to the heads, in the presets. */
  private static final long PATIENCE_NANOS = 500_000_000;

  /**
   * A drive of 15,000 revolutions a minute: 4 ms, seeks of 0.3 to 7.5 ms, 75 to 50 MB/s from the
   * outside to the inside, 8 MB of memory for writes, a command queue of 4.
   */
  public static DriveConfig fast15k(long blocks) {
    return new DriveConfig(
        new Geometry.Platters(blocks, 4_000_000, 300_000, 7_200_000, 73, 49, 13),
        new Commands(4, Order.SHORTEST_ACCESS, PATIENCE_NANOS),
        new ReadAhead(16, 64),
        new WriteCache(2048, 64, 2_000_000),
        200_000);
  }

  /** The disk of the paper about proxy caches: 12 ms, 5 ms in a group, 1 ms for 8 KB. */
  public static DriveConfig proxyPaper(long blocks) {
    return new DriveConfig(
        new Geometry.Groups(blocks, 2048, 5_000_000, 12_000_000, 500_000),
        new Commands(1, Order.ARRIVAL, PATIENCE_NANOS),
        ReadAhead.NONE,
        WriteCache.OFF,
        200_000);
  }

  /** The same with another command queue. */
  public DriveConfig withCommands(int depth, Order order) {
    return new DriveConfig(
        geometry,
        new Commands(depth, order, commands.patienceNanos),
        readAhead,
        cache,
        electronicNanos);
  }

  /** The same with another cache for writes. */
  public DriveConfig withCache(WriteCache other) {
    return new DriveConfig(geometry, commands, readAhead, other, electronicNanos);
  }

  /** The same with other segments. */
  public DriveConfig withReadAhead(ReadAhead other) {
    return new DriveConfig(geometry, commands, other, cache, electronicNanos);
  }

  @Override
  public long maxBlocks() {
    return geometry.blocks();
  }

  @Override
  public ServiceTime start(SimReactor reactor, Clock clock, SplittableRandom random) {
    return new Drive(this, reactor, clock);
  }
}
