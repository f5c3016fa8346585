package dev.upcall.io.schedule;

import dev.upcall.io.IoClass;
import java.util.ArrayDeque;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Classes with shares ({@link ShareLedger}); within a class, first come, first served: for devices
 * on which every place is as near as any other. {@link HeadSharePolicy} is the same for the others.
 */
public final class FairSharePolicy implements SchedulingPolicy {
  private final FairShareConfig config;
  private final ShareLedger ledger;
  private final ArrayDeque<Dispatch>[] queues;

  /**
   * A policy with nothing in it.
   *
   * @param nowNanos the monotonic time of the present upcall
   */
  public FairSharePolicy(FairShareConfig config, LongSupplier nowNanos) {
    this.config = config;
    this.ledger = new ShareLedger(config, nowNanos);
    this.queues = queues();
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // There are no arrays of generic types.
  private static ArrayDeque<Dispatch>[] queues() {
    ArrayDeque<Dispatch>[] queues = new ArrayDeque[IoClass.values().length];
    for (int i = 0; i < queues.length; i++) {
      queues[i] = new ArrayDeque<>();
    }
    return queues;
  }

  @Override
  public void add(Dispatch dispatch) {
    ledger.comes(dispatch.ioClass());
    queue(dispatch.ioClass()).addLast(dispatch);
  }

  @Override
  public void lift() {
    ArrayDeque<Dispatch> queue = queue(IoClass.BACKGROUND);
    for (Dispatch next = queue.poll(); next != null; next = queue.poll()) {
      ledger.leaves(IoClass.BACKGROUND);
      next.lift();
      add(next);
    }
  }

  @Override
  public @Nullable Dispatch next() {
    IoClass turn = ledger.next();
    if (turn == null) {
      return null;
    }
    Dispatch dispatch = queue(turn).removeFirst();
    ledger.sent(dispatch, config.requestCostBlocks());
    return dispatch;
  }

  @Override
  public void completed(Dispatch dispatch) {
    ledger.completed(dispatch.ioClass());
  }

  @Override
  public long pauseNanos() {
    return ledger.pauseNanos();
  }

  @Override
  public int waiting() {
    return ledger.waiting();
  }

  private ArrayDeque<Dispatch> queue(IoClass ioClass) {
    return queues[ioClass.ordinal()];
  }
}
