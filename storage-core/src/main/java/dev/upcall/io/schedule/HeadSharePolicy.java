package dev.upcall.io.schedule;

import dev.upcall.base.Invariants;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.Disk;
import dev.upcall.io.IoClass;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Classes with shares ({@link ShareLedger}) on a device with heads. A class has a turn of limited
 * length, which begins with its oldest request and goes on in the order of places; a request that
 * does not follow the one before is charged a seek. In a turn of reads the device may stand still
 * for a reader ({@link Anticipation}). The log waits for nobody.
 *
 * <p>Longest wait: for each older one of the same class, a turn of each class and a rest of the
 * background, as often as the shares give them to the others.
 */
public final class HeadSharePolicy implements SchedulingPolicy {
  /** It steps back so far at most: 512 MiB. */
  private static final long BACK_BLOCKS = (512L << 20) / Disk.BLOCK_BYTES;

  private final HeadConfig heads;
  private final Dispatcher dispatcher;
  private final ShareLedger ledger;
  private final Anticipation anticipation;
  private final ArrayDeque<Dispatch> log = new ArrayDeque<>();
  private final Map<IoClass, Lane> lanes = new EnumMap<>(IoClass.class);

  /** Whose turn it is; that of nobody in particular before the first. */
  private @Nullable Lane turn;

  private int turnLeft;
  private long turnEndNanos;

  /** The requests of one class. */
  private static final class Lane {
    private final IoClass ioClass;
    private final BlockQueue queue = new BlockQueue();
    private final SideQueue dataless = new SideQueue();

    /** Where its last request ended. */
    private long head;

    private Lane(IoClass ioClass) {
      this.ioClass = ioClass;
    }

    /** Whether somebody is waited for after its requests. */
    private boolean isAnticipated() {
      return ioClass == IoClass.FOREGROUND_READ || ioClass == IoClass.READ_AHEAD;
    }

    private BlockQueue.@Nullable Waiting nearest() {
      return queue.nearest(head, BACK_BLOCKS);
    }
  }

  /** A policy with nothing in it; of the depths it takes that of the heads. */
  public HeadSharePolicy(FairShareConfig shares, HeadConfig heads, Dispatcher dispatcher) {
    this.heads = heads;
    this.dispatcher = dispatcher;
    this.ledger = new ShareLedger(shares.withDepth(heads.depth()), dispatcher::upcallNanos);
    this.anticipation = new Anticipation(dispatcher, heads.waitNanos());
    for (IoClass ioClass : IoClass.values()) {
      lanes.put(ioClass, new Lane(ioClass));
    }
  }

  // ------------------------------------------------------------------ what comes

  @Override
  public void add(Dispatch dispatch) {
    IoClass ioClass = dispatch.ioClass();
    ledger.comes(ioClass);
    if (ioClass == IoClass.LOG) {
      log.addLast(dispatch);
      return;
    }
    Lane lane = lane(ioClass);
    if (!dispatch.movesData()) {
      lane.dataless.add(dispatch);
      return;
    }
    if (isAnticipated(dispatch)) {
      anticipation.asks(dispatch);
    }
    lane.queue.add(dispatch, now());
    if (turn != null) {
      anticipation.arrives(dispatch, turn.head);
    }
  }

  private boolean isAnticipated(Dispatch dispatch) {
    return dispatch.reads() && lane(dispatch.ioClass()).isAnticipated();
  }

  @Override
  public void beginsEarlier(Dispatch dispatch, long formerBlock) {
    if (dispatch.ioClass() != IoClass.LOG) {
      lane(dispatch.ioClass()).queue.beginsEarlier(dispatch, formerBlock);
    }
  }

  @Override
  public void lift() {
    Lane background = lane(IoClass.BACKGROUND);
    for (BlockQueue.Waiting next = background.queue.oldest();
        next != null;
        next = background.queue.oldest()) {
      lift(background.queue.take(next));
    }
    for (Dispatch next = background.dataless.poll(/* othersWait= */ false);
        next != null;
        next = background.dataless.poll(/* othersWait= */ false)) {
      lift(next);
    }
  }

  private void lift(Dispatch dispatch) {
    ledger.leaves(IoClass.BACKGROUND);
    dispatch.lift();
    add(dispatch);
  }

  @Override
  public void completed(Dispatch dispatch) {
    ledger.completed(dispatch.ioClass());
    if (isAnticipated(dispatch)) {
      anticipation.answered(dispatch);
    }
  }

  // ------------------------------------------------------------------ what goes

  @Override
  public @Nullable Dispatch next() {
    boolean isStanding = anticipation.isStanding();
    if (ledger.waiting() == 0) {
      return null;
    }
    if (ledger.logMayGo()) {
      Dispatch first = log.removeFirst();
      ledger.sent(first, heads.seekBlocks());
      return first;
    }
    if (isStanding || !ledger.hasDepth()) {
      return null;
    }
    Lane present = turn;
    if (present != null && turnLeft > 0 && now() - turnEndNanos < 0) {
      if (present.isAnticipated()) {
        BlockQueue.Waiting nearest = present.nearest();
        if (anticipation.shouldStand(nearest == null ? null : nearest.dispatch(), present.head)) {
          return null;
        }
      }
      if (ledger.isReady(present.ioClass)) {
        return send(present, present.nearest());
      }
    }
    IoClass due = ledger.next();
    if (due == null) {
      return null;
    }
    Lane lane = lane(due);
    turn = lane;
    turnLeft = lane.isAnticipated() ? Integer.MAX_VALUE : heads.turnRequests();
    turnEndNanos = now() + heads.turnNanos();
    return send(lane, lane.queue.oldest());
  }

  private Dispatch send(Lane lane, BlockQueue.@Nullable Waiting next) {
    Dispatch dispatch = lane.dataless.poll(/* othersWait= */ next != null);
    if (dispatch == null) {
      dispatch = lane.queue.take(Invariants.present(next, "one that waits"));
    }
    boolean moves = dispatch.movesData();
    ledger.sent(dispatch, moves && dispatch.block() == lane.head ? 0 : heads.seekBlocks());
    anticipation.sent(dispatch, isAnticipated(dispatch));
    turnLeft--;
    if (moves) {
      lane.head = dispatch.end();
    }
    return dispatch;
  }

  @Override
  public long pauseNanos() {
    long standing = ledger.hasDepth() ? anticipation.pauseNanos() : Long.MAX_VALUE;
    return Math.min(standing, ledger.pauseNanos());
  }

  @Override
  public int waiting() {
    return ledger.waiting();
  }

  private Lane lane(IoClass ioClass) {
    return Invariants.present(lanes.get(ioClass), "a lane");
  }

  private long now() {
    return dispatcher.upcallNanos();
  }
}
