package dev.upcall.io.elevator;

import dev.upcall.base.Invariants;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import dev.upcall.io.schedule.AskerHistories;
import dev.upcall.io.schedule.BlockQueue;
import dev.upcall.io.schedule.Dispatch;
import dev.upcall.io.schedule.SchedulingPolicy;
import dev.upcall.io.schedule.SideQueue;
import java.util.ArrayDeque;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Complete fairness: each asker has a queue for what he waits for, all others share one, and the
 * queues have the device in turn, for a slice of time. A queue that is empty before its slice ends
 * keeps the device for a moment, unless its asker usually thinks for longer, or is nobody in
 * particular. In a queue the nearest is next; one that is late goes first, once a slice.
 *
 * <p>Longest wait: for each older one of the same queue, and for itself, a slice and an idle moment
 * of every queue, beside the deadline.
 */
public final class CfqPolicy extends StateMachine<CfqState> implements SchedulingPolicy {
  static final Transitions<CfqState> TRANSITIONS =
      Transitions.of("CompleteFairness", CfqState.class, CfqState.SERVING)
          .on("the queue is empty", CfqState.SERVING, CfqState.IDLING)
          .on("its asker asks again", CfqState.IDLING, CfqState.SERVING)
          .on("time is up", CfqState.IDLING, CfqState.SERVING)
          .build();

  private static final int NOBODY = 0;

  /** The key of the queue of all that nobody waits for. */
  private static final long SHARED = -1L << Integer.SIZE;

  private static final long MAX_THINK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final Dispatcher dispatcher;
  private final int depth;
  private final ElevatorConfig.Cfq config;
  private final AskerHistories askers = new AskerHistories(MAX_THINK_NANOS);

  /** Those that have something waiting or at the device, and the one that has the device. */
  private final TreeMap<Long, Queue> queues = new TreeMap<>();

  /** Whose turn is next: those that have something waiting, without the one that has the device. */
  private final ArrayDeque<Queue> turns = new ArrayDeque<>();

  private final SideQueue dataless = new SideQueue();
  private @Nullable Queue active;
  private long head;
  private int waiting;
  private int inFlight;

  /** The requests of one asker, or those that nobody waits for. */
  private static final class Queue {
    private final long key;
    private final BlockQueue waiting = new BlockQueue();
    private int inFlight;
    private int sentInSlice;
    private boolean lateChecked;
    private long sliceEndNanos;
    private long emptySinceNanos;

    private Queue(long key) {
      this.key = key;
    }

    private boolean isShared() {
      return key == SHARED;
    }

    private int asker() {
      return isShared() ? NOBODY : (int) key;
    }

    private boolean isUsed() {
      return inFlight > 0 || !waiting.isEmpty();
    }
  }

  /** A policy with nothing in it. */
  public CfqPolicy(ElevatorConfig config, Dispatcher dispatcher) {
    super(TRANSITIONS, dispatcher);
    this.dispatcher = dispatcher;
    this.depth = config.depth();
    this.config = config.cfq();
  }

  // ------------------------------------------------------------------ what comes

  @Override
  public void add(Dispatch dispatch) {
    waiting++;
    if (!dispatch.movesData()) {
      dataless.add(dispatch);
      return;
    }
    Queue queue = queues.computeIfAbsent(key(dispatch), Queue::new);
    if (queue.asker() != NOBODY) {
      askers.of(queue.asker()).asks(dispatch, now());
    }
    if (queue.waiting.isEmpty() && queue != active) {
      turns.addLast(queue);
    }
    queue.waiting.add(dispatch, now());
  }

  private static long key(Dispatch dispatch) {
    return dispatch.isAwaited() ? dispatch.asker() : SHARED;
  }

  @Override
  public void beginsEarlier(Dispatch dispatch, long formerBlock) {
    queueOf(dispatch).waiting.beginsEarlier(dispatch, formerBlock);
  }

  private Queue queueOf(Dispatch dispatch) {
    return Invariants.present(queues.get(key(dispatch)), "the queue of a dispatch");
  }

  @Override
  public void completed(Dispatch dispatch) {
    inFlight--;
    if (!dispatch.movesData()) {
      return;
    }
    Queue queue = queueOf(dispatch);
    queue.inFlight--;
    queue.emptySinceNanos = now();
    if (queue.asker() != NOBODY) {
      askers.of(queue.asker()).answered(now());
    }
    if (queue != active && !queue.isUsed()) {
      queues.remove(queue.key);
    }
  }

  // ------------------------------------------------------------------ what goes

  @Override
  public @Nullable Dispatch next() {
    if (inFlight >= depth) {
      return null;
    }
    Dispatch next = dataless.poll(waiting > dataless.size());
    if (next == null) {
      next = nextOfData();
    }
    if (next == null) {
      next = dataless.poll(/* othersWait= */ false);
    }
    if (next != null) {
      inFlight++;
      waiting--;
    }
    return next;
  }

  private @Nullable Dispatch nextOfData() {
    Queue queue = select();
    if (queue == null) {
      return null;
    }
    boolean isFull =
        queue.inFlight >= config.quantum()
            || (!isIdledFor(queue) && inFlight >= config.busyDepth());
    return isFull ? null : send(queue);
  }

  /** The queue that has the device; null if none has anything to send now. */
  private @Nullable Queue select() {
    Queue queue = active;
    if (queue == null) {
      return nextTurn();
    }
    if (now() - queue.sliceEndNanos > 0 && state() == CfqState.SERVING) {
      return nextTurn();
    }
    if (!queue.waiting.isEmpty()) {
      if (state() == CfqState.IDLING) {
        become(CfqState.SERVING);
      }
      return queue;
    }
    if (!mayIdle(queue)) {
      return nextTurn();
    }
    if (state() == CfqState.SERVING) {
      become(CfqState.IDLING);
    }
    return null;
  }

  private boolean mayIdle(Queue queue) {
    return isIdledFor(queue)
        && now() - queue.sliceEndNanos <= 0
        && (queue.inFlight > 0 || now() - idleEndNanos(queue) < 0);
  }

  private boolean isIdledFor(Queue queue) {
    return queue.asker() != NOBODY
        && config.idleNanos() > 0
        && !askers.of(queue.asker()).thinksLongerThan(config.idleNanos());
  }

  private long idleEndNanos(Queue queue) {
    return Math.min(queue.emptySinceNanos + config.idleNanos(), queue.sliceEndNanos);
  }

  private @Nullable Queue nextTurn() {
    if (state() == CfqState.IDLING) {
      become(CfqState.SERVING);
    }
    Queue last = active;
    if (last != null) {
      if (!last.waiting.isEmpty()) {
        turns.addLast(last);
      } else if (!last.isUsed()) {
        queues.remove(last.key);
      }
    }
    Queue next = turns.pollFirst();
    if (next != null) {
      long slice = next.isShared() ? config.otherSliceNanos() : config.sliceNanos();
      next.sliceEndNanos = now() + slice;
      next.sentInSlice = 0;
      next.lateChecked = false;
    }
    active = next;
    return next;
  }

  private Dispatch send(Queue queue) {
    Dispatch dispatch = queue.waiting.take(candidate(queue));
    head = dispatch.end();
    queue.inFlight++;
    queue.sentInSlice++;
    if (queue.asker() != NOBODY) {
      askers.of(queue.asker()).sent();
    }
    if (queue.isShared() && queue.sentInSlice >= config.otherSlice()) {
      // It has sent what it may: for it the slice is over.
      queue.sliceEndNanos = now() - 1;
    }
    return dispatch;
  }

  private BlockQueue.Waiting candidate(Queue queue) {
    if (!queue.lateChecked) {
      long deadline = queue.isShared() ? config.otherNanos() : config.awaitedNanos();
      BlockQueue.Waiting late = queue.waiting.oldestBefore(now() - deadline);
      if (late != null) {
        queue.lateChecked = true;
        return late;
      }
    }
    return Invariants.present(
        queue.waiting.nearest(head, ElevatorConfig.CFQ_BACK_BLOCKS), "one that waits");
  }

  @Override
  public long pauseNanos() {
    Queue queue = active;
    if (queue == null || state() == CfqState.SERVING || inFlight >= depth) {
      return Long.MAX_VALUE;
    }
    long untilNanos = queue.inFlight > 0 ? queue.sliceEndNanos + 1 : idleEndNanos(queue);
    return Math.max(1, untilNanos - now());
  }

  @Override
  public int waiting() {
    return waiting;
  }

  private long now() {
    return dispatcher.upcallNanos();
  }
}
