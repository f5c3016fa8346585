package dev.upcall.io.elevator;

import dev.upcall.config.Limits;
import dev.upcall.io.Disk;
import java.util.concurrent.TimeUnit;

/**
 * The knobs of the policies that know where blocks are. Those of Linux 2.6.16 are in ticks of its
 * clock, of which there are 100, 250 or 1,000 a second: {@link #linux}.
 *
 * @param depth requests in flight
 * @param deadline of {@link DeadlinePolicy}
 * @param anticipatory of {@link AnticipatoryPolicy}
 * @param cfq of {@link CfqPolicy}
 */
public record ElevatorConfig(int depth, Deadline deadline, Anticipatory anticipatory, Cfq cfq) {
  /** CFQ steps back so far at most: 16 MiB. */
  static final long CFQ_BACK_BLOCKS = (16L << 20) / Disk.BLOCK_BYTES;

  /** The anticipatory one steps back so far at most: 512 MiB. */
  static final long ANTICIPATORY_BACK_BLOCKS = (512L << 20) / Disk.BLOCK_BYTES;

  private static final long MAX_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** Checks the limits. */
  public ElevatorConfig {
    Limits.within("depth", depth, 1, 1 << 16);
  }

  /**
   * The knobs of {@link DeadlinePolicy}.
   *
   * @param readNanos so long a read waits before it goes ahead of nearer ones
   * @param writeNanos and so long a write
   * @param batch requests in one direction before the other is looked at
   * @param writesStarved batches of reads that go ahead of a write
   */
  public record Deadline(long readNanos, long writeNanos, int batch, int writesStarved) {
    /** Checks the limits. */
    public Deadline {
      nanos("deadline of reads", readNanos);
      nanos("deadline of writes", writeNanos);
      Limits.within("batch", batch, 1, 1 << 16);
      Limits.within("writesStarved", writesStarved, 0, 1 << 16);
    }
  }

  /**
   * The knobs of {@link AnticipatoryPolicy}. Read stands for what somebody waits for.
   *
   * @param readNanos so long a read waits before it goes ahead of nearer ones
   * @param writeNanos and so long a write
   * @param readBatchNanos so long there are reads only, if there are enough
   * @param writeBatchNanos and so long writes only
   * @param writeBatch writes of the first such batch at most; then it follows what they take
   * @param waitNanos so long the next read of an asker is waited for
   */
  public record Anticipatory(
      long readNanos,
      long writeNanos,
      long readBatchNanos,
      long writeBatchNanos,
      int writeBatch,
      long waitNanos) {
    /** Checks the limits. */
    public Anticipatory {
      nanos("deadline of reads", readNanos);
      nanos("deadline of writes", writeNanos);
      nanos("batch of reads", readBatchNanos);
      nanos("batch of writes", writeBatchNanos);
      Limits.within("writeBatch", writeBatch, 1, 1 << 16);
      Limits.within("wait", waitNanos, 0, MAX_NANOS);
    }
  }

  /**
   * The knobs of {@link CfqPolicy}.
   *
   * @param quantum requests of one queue in flight
   * @param busyDepth requests in flight beyond which a queue whose asker is not waited for sends
   *     none
   * @param awaitedNanos so long a request that somebody waits for waits before it goes ahead of
   *     nearer ones of its queue
   * @param otherNanos and so long another one
   * @param sliceNanos what the queue of an asker gets before the next one
   * @param otherSliceNanos what the queue of all others gets
   * @param otherSlice requests that it sends in that time at most
   * @param idleNanos so long the next request of an asker is waited for
   */
  public record Cfq(
      int quantum,
      int busyDepth,
      long awaitedNanos,
      long otherNanos,
      long sliceNanos,
      long otherSliceNanos,
      int otherSlice,
      long idleNanos) {
    /** Checks the limits. */
    public Cfq {
      Limits.within("quantum", quantum, 1, 1 << 16);
      Limits.within("busyDepth", busyDepth, 1, 1 << 16);
      nanos("deadline of what is awaited", awaitedNanos);
      nanos("deadline of others", otherNanos);
      nanos("slice", sliceNanos);
      nanos("slice of others", otherSliceNanos);
      Limits.within("otherSlice", otherSlice, 1, 1 << 16);
      Limits.within("idle", idleNanos, 0, MAX_NANOS);
    }
  }

  /**
   * The values of Linux 2.6.16.
   *
   * @param ticks of its clock in a second
   */
  public static ElevatorConfig linux(int depth, int ticks) {
    Limits.within("ticks", ticks, 100, 1000);
    long tick = TimeUnit.SECONDS.toNanos(1) / ticks;
    Deadline deadline = new Deadline(ticks / 2 * tick, 5L * ticks * tick, 16, 2);
    Anticipatory anticipatory =
        new Anticipatory(
            ticks / 8 * tick,
            ticks / 4 * tick,
            ticks / 2 * tick,
            ticks / 8 * tick,
            Math.max(2, ticks / 8 / 10),
            Math.max(1, ticks / 150) * tick);
    // Two requests of the shared queue are sixteen at the priority that all have.
    Cfq cfq =
        new Cfq(
            4,
            2,
            ticks / 8 * tick,
            ticks / 4 * tick,
            ticks / 10 * tick,
            ticks / 25 * tick,
            16,
            ticks / 100 * tick);
    return new ElevatorConfig(depth, deadline, anticipatory, cfq);
  }

  private static void nanos(String setting, long nanos) {
    Limits.within(setting, nanos, 1, MAX_NANOS);
  }
}
