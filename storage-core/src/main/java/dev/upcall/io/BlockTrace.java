package dev.upcall.io;

import dev.upcall.base.Clock;
import dev.upcall.config.Limits;
import java.util.function.Consumer;

/**
 * A disk that writes down every request before it passes it on: the last ones one by one, all of
 * them as a {@link Profile} per direction. For the study of block traffic, behind or in front of an
 * {@link IoScheduler}.
 */
public final class BlockTrace extends ForwardingDisk {
  /** What a request does to the device. */
  public enum Direction {
    /** Blocks come from the device. */
    READ,
    /** Blocks go to the device. */
    WRITE,
    /** Blocks go to the device and stay there. */
    DURABLE_WRITE,
    /** No blocks; the device's cache is flushed. */
    SYNC,
    /** Room is made, given back or cut off. */
    SPACE
  }

  /**
   * One request.
   *
   * @param timeNanos when it was submitted (monotonic)
   * @param block its first block, 0 for a sync
   * @param blocks how many, 0 for a sync
   */
  public record Entry(
      long timeNanos, Direction direction, IoClass ioClass, long block, long blocks) {}

  /**
   * All requests of one direction since the trace began.
   *
   * @param requests how many
   * @param blocks their blocks
   * @param sequential how many started where the one before of this direction had ended
   * @param spanNanos from the first to the last
   */
  public record Profile(long requests, long blocks, long sequential, long spanNanos) {
    /** Mean size in bytes; 0 without requests. */
    public double meanBytes() {
      return requests == 0 ? 0 : (double) blocks * BLOCK_BYTES / requests;
    }

    /** The part of requests that continued the one before, from 0 to 1. */
    public double sequentiality() {
      return requests == 0 ? 0 : (double) sequential / requests;
    }
  }

  private static final Direction[] DIRECTIONS = Direction.values();
  private static final IoClass[] CLASSES = IoClass.values();

  private final Clock clock;
  private final int capacity;
  private final long[] times;
  private final long[] starts;
  private final long[] lengths;
  private final byte[] kinds;
  private final Running[] running = new Running[DIRECTIONS.length];
  private final long[] byClass = new long[CLASSES.length];
  private long recorded;

  private static final class Running {
    private long requests;
    private long blocks;
    private long sequential;
    private long nextBlock = -1;
    private long firstNanos;
    private long lastNanos;
  }

  /**
   * Begins a trace.
   *
   * @param capacity how many single requests are kept; the oldest are overwritten
   */
  public BlockTrace(Disk disk, Clock clock, int capacity) {
    super(disk);
    Limits.within("block trace capacity", capacity, 1, 1 << 26);
    this.clock = clock;
    this.capacity = capacity;
    this.times = new long[capacity];
    this.starts = new long[capacity];
    this.lengths = new long[capacity];
    this.kinds = new byte[capacity];
    for (int i = 0; i < running.length; i++) {
      running[i] = new Running();
    }
  }

  @Override
  public void submit(DiskRequest request) {
    record(request);
    pass(request);
  }

  /** How many requests there were. */
  public long recorded() {
    return recorded;
  }

  /** How many requests of a class there were. */
  public long recorded(IoClass ioClass) {
    return byClass[ioClass.ordinal()];
  }

  /** What the requests of a direction were like. */
  public Profile profile(Direction direction) {
    Running sums = running[direction.ordinal()];
    return new Profile(
        sums.requests, sums.blocks, sums.sequential, sums.lastNanos - sums.firstNanos);
  }

  /** Visits the requests that are kept, the oldest first. */
  public void forEach(Consumer<Entry> visitor) {
    for (long at = Math.max(0, recorded - capacity); at < recorded; at++) {
      int place = (int) (at % capacity);
      visitor.accept(
          new Entry(
              times[place],
              DIRECTIONS[kinds[place] / CLASSES.length],
              CLASSES[kinds[place] % CLASSES.length],
              starts[place],
              lengths[place]));
    }
  }

  private void record(DiskRequest request) {
    long now = clock.monotonicNanos();
    long block = DiskRules.firstBlock(request);
    long blocks = DiskRules.blocks(request);
    int direction = direction(request).ordinal();
    int place = (int) (recorded++ % capacity);
    times[place] = now;
    starts[place] = block;
    lengths[place] = blocks;
    kinds[place] = (byte) (direction * CLASSES.length + request.ioClass().ordinal());
    byClass[request.ioClass().ordinal()]++;
    Running sums = running[direction];
    sums.firstNanos = sums.requests == 0 ? now : sums.firstNanos;
    sums.lastNanos = now;
    sums.requests++;
    sums.blocks += blocks;
    sums.sequential += block == sums.nextBlock ? 1 : 0;
    sums.nextBlock = block + blocks;
  }

  private static Direction direction(DiskRequest request) {
    return switch (request) {
      case DiskRequest.Read read -> Direction.READ;
      case DiskRequest.Write write -> Direction.WRITE;
      case DiskRequest.DurableWrite write -> Direction.DURABLE_WRITE;
      case DiskRequest.Sync _ -> Direction.SYNC;
      case DiskRequest.Allocate _,
          DiskRequest.Discard _,
          DiskRequest.Shrink _,
          DiskRequest.Stat _ ->
          Direction.SPACE;
    };
  }
}
