package dev.upcall.txn;

import dev.upcall.fsm.Completion;
import dev.upcall.fsm.CompletionPort;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.Faults;
import dev.upcall.fsm.Gate;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import dev.upcall.fsm.Unit;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.space.Extent;
import dev.upcall.space.FreeMap;
import dev.upcall.space.Reserve;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gives space back to the device, in the background: punches long runs of blocks that the allocator
 * could hand out, and cuts free blocks off the volume's end.
 *
 * <p>Both with hysteresis. A <em>pool</em> of free blocks that have room on the device stays: what
 * is promised to the checkpoint, and a part of what the store holds. Only when there has been as
 * much again for a while is it punched down to the pool, and to what was handed out in that while:
 * blocks that somebody will soon write again are better kept, since they are written already.
 *
 * <p>A run is out of the allocator while it is punched. The end is cut in this order: out of the
 * map, a checkpoint, and when its superblock with the new size is durable, the file. So in every
 * order of a crash the file is at least as long as the volume.
 */
final class Trimmer extends StateMachine<Trimmer.State> {
  /** What is being given back. */
  enum State {
    /** Nothing. */
    IDLE,
    /** There is something; whether it stays is being waited for. */
    SETTLING,
    /** What was freed waits for a checkpoint, or the volume's new size does. */
    CHECKPOINTING,
    /** A run is being punched. */
    PUNCHING,
    /** The device is left in peace. */
    PAUSING,
    /** The file is being cut. */
    TRUNCATING
  }

  static final Transitions<State> TRANSITIONS =
      Transitions.of("Trimmer", State.class, State.IDLE)
          .on("there is something to give back", State.IDLE, State.SETTLING)
          .on("closing: at once", State.IDLE, State.PAUSING)
          .on("still there, not durable", State.SETTLING, State.CHECKPOINTING)
          .on("a run", State.SETTLING, State.PUNCHING)
          .on("gone", State.SETTLING, State.IDLE)
          .on("not for long enough yet", State.PAUSING, State.SETTLING)
          .on("not durable", State.PAUSING, State.CHECKPOINTING)
          .on("a run", State.PAUSING, State.PUNCHING)
          .on("file longer than the volume", State.PAUSING, State.TRUNCATING)
          .on("nothing more", State.PAUSING, State.IDLE)
          .on("durable", State.CHECKPOINTING, State.PAUSING)
          .on("failed", State.CHECKPOINTING, State.IDLE)
          .on("punched, failed", State.PUNCHING, State.PAUSING)
          .on("cut, failed", State.TRUNCATING, State.PAUSING)
          .build();

  private static final String HOLDER = "giving space back";

  /** The pool is at least this part of what the store holds. */
  private static final long POOL_PART = 16;

  /** A cut must bring at least this part of the volume. */
  private static final long CUT_PART = 8;

  /** A store that is broken on purpose must come to rest, too. */
  private static final int BROKEN_PUNCHES = 32;

  private final StoreContext context;
  private final FreeMap map;
  private final TrimConfig config;
  private final Checkpoint checkpoint;
  private final Admission admission;
  private final Gate gate;
  private final Faults faults;
  private Dispatcher.@Nullable Timer timer;

  /** When it was last begun to look what is needed and what is not. */
  private long keptSinceNanos;

  /** What had been handed out by then. */
  private long handedOutBefore;

  /** What was handed out of late, and is kept for who comes next. */
  private long reusedBlocks;

  private long oldPendingBlocks;
  private long releasedBlocks;
  private int closingPunches;
  private int brokenPunches;
  private boolean draining;
  private boolean closing;
  private boolean punchFailed;
  private boolean cutFailed;

  Trimmer(StoreContext context, Checkpoint checkpoint, Admission admission) {
    super(TRANSITIONS, context.dispatcher());
    this.context = context;
    this.checkpoint = checkpoint;
    this.admission = admission;
    this.map = context.state().map();
    this.config = context.config().trim();
    this.faults = context.faults();
    this.gate = new Gate(HOLDER, context.dispatcher());
  }

  /** Something may have been freed. Cheap: called for each change. */
  void changed() {
    if (state() == State.IDLE && freshBlocks() >= config.poolBlocks()) {
      look();
    }
  }

  /**
   * A checkpoint is durable; what it makes allocatable is {@link #released} from now on.
   *
   * @param readersLeft whether older readers keep blocks from becoming allocatable by it
   */
  void checkpointDurable(boolean readersLeft) {
    oldPendingBlocks = readersLeft ? map.pendingBlocks() : 0;
    look();
  }

  /** So many blocks that were pending are no longer. */
  void released(long blocks) {
    oldPendingBlocks = Math.max(0, oldPendingBlocks - blocks);
    swept(blocks);
  }

  /** So many blocks that named snapshots held became allocatable. */
  void swept(long blocks) {
    releasedBlocks += blocks;
    look();
  }

  /** Looks whether there is something to give back. */
  void look() {
    if (state() != State.IDLE || admission.readOnly() != null || !isWorthIt()) {
      return;
    }
    if (gate.enter()) {
      become(State.SETTLING);
      beginKeeping();
      settle(config.settleNanos());
    }
  }

  private void beginKeeping() {
    keptSinceNanos = context.dispatcher().clock().monotonicNanos();
    handedOutBefore = map.handedOutBlocks();
    reusedBlocks = 0;
  }

  private void settle(long nanos) {
    timer = context.dispatcher().schedule(nanos, this::decide);
  }

  /**
   * Ends: gives back, at once, what this life of the store has freed, if that is much, and
   * completes. The last checkpoint has been made, or could not be.
   */
  void close(CompletionPort<Unit> port) {
    closing = true;
    reusedBlocks = 0;
    boolean much = releasedBlocks >= config.poolBlocks();
    if (timer != null) {
      timer.cancel();
      timer = null;
      if (much) {
        context.dispatcher().post(this::decide);
      } else {
        idle();
      }
    } else if (state() == State.IDLE && much && gate.enter()) {
      pause();
    }
    gate.close(port);
  }

  private boolean isWorthIt() {
    return surplusBlocks() + freshBlocks() >= poolBlocks()
        || isFileLonger()
        || cutBlocks() > 0;
  }

  /** Blocks freed since the last checkpoint, which the next one makes allocatable. */
  private long freshBlocks() {
    return Math.max(0, map.pendingBlocks() - oldPendingBlocks);
  }

  private long poolBlocks() {
    return Math.max(config.poolBlocks(), map.committedBlocks() / POOL_PART);
  }

  /** How many allocatable or doubtful blocks there are beyond the pool. */
  private long surplusBlocks() {
    long kept = map.keptBlocks(Reserve.NORMAL) + poolBlocks() + reusedBlocks;
    return map.unpunchedBlocks() - kept;
  }

  /** Whether the file has blocks that the volume no longer has. */
  private boolean isFileLonger() {
    return !cutFailed && context.disk().sizeBlocks() > map.totalBlocks();
  }

  /** How many blocks to cut off the volume's end, or 0. */
  private long cutBlocks() {
    long total = map.totalBlocks();
    long kept = Math.max(map.tailStart() + config.poolBlocks(), total - map.shrinkable());
    boolean may = !cutFailed && reusedBlocks == 0 && !context.space().isWanted();
    return may && total - kept >= leastCutBlocks() ? total - kept : 0;
  }

  private long leastCutBlocks() {
    return Math.max(config.poolBlocks(), map.totalBlocks() / CUT_PART);
  }

  /** One step: the end is cut, or the longest run is punched. */
  private void decide() {
    timer = null;
    if (admission.readOnly() != null) {
      idle();
    } else if (!closing && surplusBlocks() + freshBlocks() >= poolBlocks() && hasFreshRun()) {
      checkpoint();
    } else if (!mustKeep() && !giveBack()) {
      rest();
    }
  }

  private boolean giveBack() {
    return cut() || punchNext();
  }

  /**
   * Whether what there is too much is kept still; it is looked at again later. Afterwards as much
   * as was handed out meanwhile is kept for longer, unless it is little. Who has begun to give back
   * goes on.
   */
  private boolean mustKeep() {
    if (closing || draining || reusedBlocks > 0 || isFileLonger() || !isWorthIt()) {
      return false;
    }
    long now = context.dispatcher().clock().monotonicNanos();
    long leftNanos = keptSinceNanos + config.keepNanos() - now;
    if (leftNanos > 0) {
      settleAgain(leftNanos);
      return true;
    }
    long reused = map.handedOutBlocks() - handedOutBefore;
    reusedBlocks = reused >= config.poolBlocks() ? reused : 0;
    return false;
  }

  private void settleAgain(long leftNanos) {
    if (state() != State.SETTLING) {
      become(State.SETTLING);
    }
    settle(Math.min(leftNanos, Math.max(1, config.settleNanos())));
  }

  /** Nothing more can be given back now; what is kept for who comes next is looked at again. */
  private void rest() {
    draining = false;
    if (reusedBlocks > 0 && !closing) {
      beginKeeping();
      settleAgain(config.keepNanos());
    } else {
      idle();
    }
  }

  /**
   * Whether a checkpoint would make a run punchable: it must free more than it writes. Changes of
   * metadata alone free as much as they take, and would call for one checkpoint after the other.
   */
  private boolean hasFreshRun() {
    return freshBlocks() - map.promisedBlocks() >= config.minPunchBlocks()
        && !faults.has(StoreFault.PUNCH_BEFORE_CHECKPOINT);
  }

  private void idle() {
    draining = false;
    reusedBlocks = 0;
    become(State.IDLE);
    gate.leave();
  }

  private void pause() {
    become(State.PAUSING);
    if (closing) {
      context.dispatcher().post(this::decide);
    } else {
      timer = context.dispatcher().schedule(config.pauseNanos(), this::decide);
    }
  }

  private void checkpoint() {
    become(State.CHECKPOINTING);
    checkpoint.request(
        completion -> {
          if (completion instanceof Completion.Done<Unit>) {
            pause();
          } else {
            idle();
          }
        });
  }

  private boolean punchNext() {
    Extent run = holdRun();
    if (run == null) {
      return false;
    }
    become(State.PUNCHING);
    closingPunches += closing ? 1 : 0;
    boolean broken = letGoTooEarly(run);
    context
        .disk()
        .submit(
            new DiskRequest.Discard(
                run.block(),
                run.blocks(),
                IoClass.BACKGROUND,
                completion -> punched(broken ? null : run, completion)));
    return true;
  }

  private @Nullable Extent holdRun() {
    long surplus = surplusBlocks();
    boolean enough = draining || surplus >= poolBlocks();
    boolean mayPunch = !punchFailed && closingPunches < config.closingPunches();
    if (brokenPunches >= BROKEN_PUNCHES) {
      return null;
    }
    if (faults.has(StoreFault.PUNCH_BEFORE_CHECKPOINT)) {
      return freedRun();
    }
    if (!enough || !mayPunch || surplus < config.minPunchBlocks() || context.space().isWanted()) {
      return null;
    }
    draining = true;
    return map.unbacked()
        .holdToPunch(
            config.minPunchBlocks(),
            Math.min(surplus, config.maxPunchBlocks()),
            map.keptBlocks(Reserve.NORMAL));
  }

  private void punched(@Nullable Extent held, Completion<Unit> completion) {
    boolean done = completion instanceof Completion.Done<Unit>;
    punchFailed |= !done;
    if (held != null) {
      if (done) {
        map.unbacked().unbacked(held);
      } else {
        map.unbacked().doubted(held);
      }
      context.space().heldReturned();
    }
    pause();
  }

  private boolean cut() {
    boolean known = checkpoint.durable().volumeBlocks() <= map.totalBlocks();
    if (isFileLonger() && known && state() == State.PAUSING) {
      return truncate();
    }
    map.shrink(map.totalBlocks() - cutBlocks());
    if (!isFileLonger()) {
      return false;
    }
    checkpoint();
    return true;
  }

  private boolean truncate() {
    if (!context.space().mayTruncate()) {
      // Something grows; the next checkpoint leads here again.
      return false;
    }
    become(State.TRUNCATING);
    context
        .space()
        .truncate(
            completion -> {
              cutFailed |= completion instanceof Completion.Failed<Unit>;
              pause();
            });
    return true;
  }

  // Broken on purpose.

  /** Whether nobody holds the run while it is punched; it is not a hole afterwards either. */
  private boolean letGoTooEarly(Extent run) {
    boolean allocatable = faults.has(StoreFault.PUNCH_WHILE_ALLOCATABLE);
    if (allocatable) {
      map.unbacked().backed(run);
    }
    boolean broken = allocatable || faults.has(StoreFault.PUNCH_BEFORE_CHECKPOINT);
    brokenPunches += broken ? 1 : 0;
    return broken;
  }

  /** A run that was freed and that the durable checkpoint still needs. */
  private @Nullable Extent freedRun() {
    List<Extent> freed = new ArrayList<>();
    map.release(
        context.state().scn(),
        extent -> {
          freed.add(extent);
          return false;
        });
    freed.removeIf(extent -> extent.blocks() < config.minPunchBlocks());
    return freed.isEmpty() || closing ? null : freed.getLast();
  }
}
