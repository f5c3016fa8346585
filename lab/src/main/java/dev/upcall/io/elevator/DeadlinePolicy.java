package dev.upcall.io.elevator;

import dev.upcall.base.Invariants;
import dev.upcall.io.schedule.BlockQueue;
import dev.upcall.io.schedule.Dispatch;
import dev.upcall.io.schedule.SchedulingPolicy;
import dev.upcall.io.schedule.SideQueue;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An elevator for each direction, upwards only, in batches; reads go ahead of writes, but not for
 * ever, and whoever has waited past its deadline is where a batch begins.
 *
 * <p>Longest wait: the deadline, and then for each older one of the same direction the time of a
 * batch and of the batches of reads that go ahead of one of writes.
 */
public final class DeadlinePolicy implements SchedulingPolicy {
  private final int depth;
  private final ElevatorConfig.Deadline config;
  private final LongSupplier nowNanos;
  private final BlockQueue reads = new BlockQueue();
  private final BlockQueue writes = new BlockQueue();
  private final SideQueue others = new SideQueue();

  /** The direction of the present batch. */
  private BlockQueue direction = reads;

  private int batch;
  private int starved;
  private long head;
  private int inFlight;

  /**
   * A policy with nothing in it.
   *
   * @param nowNanos the monotonic time of the present upcall
   */
  public DeadlinePolicy(ElevatorConfig config, LongSupplier nowNanos) {
    this.depth = config.depth();
    this.config = config.deadline();
    this.nowNanos = nowNanos;
    this.batch = this.config.batch();
  }

  @Override
  public void add(Dispatch dispatch) {
    if (dispatch.movesData()) {
      queue(dispatch).add(dispatch, nowNanos.getAsLong());
    } else {
      others.add(dispatch);
    }
  }

  private BlockQueue queue(Dispatch dispatch) {
    return dispatch.reads() ? reads : writes;
  }

  @Override
  public void beginsEarlier(Dispatch dispatch, long formerBlock) {
    queue(dispatch).beginsEarlier(dispatch, formerBlock);
  }

  @Override
  public @Nullable Dispatch next() {
    if (inFlight >= depth) {
      return null;
    }
    boolean dataWaits = !(reads.isEmpty() && writes.isEmpty());
    Dispatch next = others.poll(dataWaits);
    if (next == null && dataWaits) {
      next = nextOfData();
    }
    inFlight += next == null ? 0 : 1;
    return next;
  }

  private Dispatch nextOfData() {
    BlockQueue.Waiting next = batch < config.batch() ? direction.from(head) : null;
    if (next == null) {
      direction = nextDirection();
      batch = 0;
      next = beginOfBatch();
    }
    batch++;
    head = next.dispatch().end();
    return direction.take(next);
  }

  private BlockQueue nextDirection() {
    boolean isWritesTurn = reads.isEmpty() || starved >= config.writesStarved();
    if (!writes.isEmpty() && isWritesTurn) {
      starved = 0;
      return writes;
    }
    starved += writes.isEmpty() ? 0 : 1;
    return reads;
  }

  private BlockQueue.Waiting beginOfBatch() {
    long deadline = direction == reads ? config.readNanos() : config.writeNanos();
    BlockQueue.Waiting late = direction.oldestBefore(nowNanos.getAsLong() - deadline);
    BlockQueue.Waiting ahead = late == null ? direction.from(head) : late;
    return Invariants.present(ahead == null ? direction.lowest() : ahead, "one that waits");
  }

  @Override
  public void completed(Dispatch dispatch) {
    inFlight--;
  }

  @Override
  public int waiting() {
    return reads.size() + writes.size() + others.size();
  }
}
