package dev.upcall.txn.pressure;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher.Timer;
import dev.upcall.io.Disk;
import dev.upcall.txn.state.Admission;
import dev.upcall.txn.state.StoreContext;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Requests for snapshots wait here, first come first served, while all snapshots together might
 * have to copy too much: until unplaced content has got its place, or others are closed. Whoever
 * asks may hold those others, so each waits for a bounded time.
 */
public final class SnapshotQueue {
  private static final class Waiter {
    private final Runnable granted;
    private final Consumer<Failure> refused;
    private @Nullable Timer timer;

    Waiter(Runnable granted, Consumer<Failure> refused) {
      this.granted = granted;
      this.refused = refused;
    }
  }

  private final StoreContext context;
  private final Admission admission;
  private final PlacingQueue placing;
  private final long timeoutNanos;
  private final ArrayDeque<Waiter> waiters = new ArrayDeque<>();
  private boolean isPlacing;
  private long waited;
  private long refused;

  public SnapshotQueue(StoreContext context, Admission admission, PlacingQueue placing) {
    this.context = context;
    this.admission = admission;
    this.placing = placing;
    this.timeoutNanos = context.config().transactions().locks().timeoutNanos();
  }

  /**
   * Lets a snapshot be taken, in this call or a later upcall, or says why it cannot be: {@code
   * Busy} after it has waited for too long or when unplaced content cannot be placed, {@code
   * Closed}.
   */
  public void enter(Runnable granted, Consumer<Failure> refusal) {
    if (waiters.isEmpty() && hasRoom()) {
      granted.run();
      return;
    }
    Waiter waiter = new Waiter(granted, refusal);
    waiter.timer = context.dispatcher().schedule(timeoutNanos, () -> timedOut(waiter));
    waiters.addLast(waiter);
    waited++;
    look();
  }

  /** There may be room. */
  public void look() {
    grant();
    if (!waiters.isEmpty() && !isPlacing && placingHelps()) {
      isPlacing = true;
      context.urgency().waiterCame();
      placing.add(this::placed);
    }
  }

  private void grant() {
    while (!waiters.isEmpty() && hasRoom()) {
      leave().granted.run();
    }
  }

  /** Nobody waits any more. */
  public void close() {
    refuseAll(new Failure.Closed("the store"));
  }

  public int waiting() {
    return waiters.size();
  }

  /** How many had to wait. */
  public long waited() {
    return waited;
  }

  /** How many waited in vain. */
  public long refused() {
    return refused;
  }

  /** What cannot change any more is never copied. */
  private boolean hasRoom() {
    return admission.readOnly() != null
        || copiedBlocks() + unplacedBlocks() <= context.config().snapshotBlocks();
  }

  /** Content that open snapshots see is copied when it is placed: that alone brings no room. */
  private boolean placingHelps() {
    return unplacedBlocks() > 0 && copiedBlocks() < context.config().snapshotBlocks();
  }

  private long copiedBlocks() {
    return context.state().snapshots().copiedBytes() / Disk.BLOCK_BYTES;
  }

  private long unplacedBlocks() {
    return context.state().segments().unplacedBlocks();
  }

  private void placed(Completion<Unit> completion) {
    isPlacing = false;
    context.urgency().waiterWent();
    if (completion instanceof Completion.Failed<Unit>) {
      grant();
      refuseAll(busy());
    } else {
      look();
    }
  }

  private void timedOut(Waiter waiter) {
    waiters.remove(waiter);
    refuse(waiter, busy());
  }

  private static Failure busy() {
    return new Failure.Busy("unplaced content that snapshots would copy");
  }

  private void refuseAll(Failure why) {
    while (!waiters.isEmpty()) {
      refuse(leave(), why);
    }
  }

  private void refuse(Waiter waiter, Failure why) {
    refused++;
    waiter.refused.accept(why);
  }

  private Waiter leave() {
    Waiter first = waiters.removeFirst();
    Invariants.present(first.timer, "its timer").cancel();
    return first;
  }
}
