package dev.upcall.txn.reclaim;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.Faults;
import dev.upcall.fsm.Gate;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.space.Extent;
import dev.upcall.space.FreeMap;
import dev.upcall.space.Reserve;
import dev.upcall.txn.checkpoint.Checkpoint;
import dev.upcall.txn.reclaim.TrimFacts.Obstacle;
import dev.upcall.txn.state.StoreContext;
import dev.upcall.txn.state.StoreEntrance;
import dev.upcall.txn.state.StoreFault;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gives space back to the device, in the background: punches free runs and cuts free blocks off the
 * volume's end. What, and when, {@link TrimPlanner} says; this looks, does one step, and pauses
 * before it looks again.
 *
 * <p>A run is out of the allocator while it is punched. The end is cut in this order: out of the
 * map, a checkpoint, and when its superblock with the new size is durable, the file. So in every
 * order of a crash the file is at least as long as the volume.
 */
public final class Trimmer extends StateMachine<Trimmer.State> {
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

  /** A store that is broken on purpose must come to rest, too. */
  private static final int MAX_BROKEN_PUNCHES = 32;

  private final StoreContext context;
  private final FreeMap map;
  private final TrimPlanner planner;
  private final Checkpoint checkpoint;
  private final StoreEntrance entrance;
  private final Gate gate;
  private final EnumSet<Obstacle> refused = EnumSet.noneOf(Obstacle.class);
  private final Faults faults;
  private TrimPlanner.Episode episode = TrimPlanner.Episode.NONE;
  private Dispatcher.@Nullable Timer timer;
  private long oldPendingBlocks;
  private long releasedBlocks;
  private int closingPunches;
  private int brokenPunches;
  private boolean closing;

  public Trimmer(StoreContext context, Checkpoint checkpoint, StoreEntrance entrance) {
    super(TRANSITIONS, context.dispatcher());
    this.context = context;
    this.checkpoint = checkpoint;
    this.entrance = entrance;
    this.map = context.state().map();
    this.faults = context.faults();
    this.planner = new TrimPlanner(context.config().trim());
    this.gate = new Gate(HOLDER, context.dispatcher());
  }

  /** Something may have been freed. Cheap: called for each change. */
  public void changed() {
    if (state() == State.IDLE && planner.isMuch(freshBlocks())) {
      look();
    }
  }

  /**
   * A checkpoint is durable; what it makes allocatable is {@link #released} from now on.
   *
   * @param readersLeft whether older readers keep blocks from becoming allocatable by it
   */
  public void checkpointDurable(boolean readersLeft) {
    oldPendingBlocks = readersLeft ? map.pendingBlocks() : 0;
    look();
  }

  /** So many blocks that were pending are no longer. */
  public void released(long blocks) {
    oldPendingBlocks = Math.max(0, oldPendingBlocks - blocks);
    swept(blocks);
  }

  /** So many blocks that named snapshots held became allocatable. */
  public void swept(long blocks) {
    Invariants.check(blocks >= 0, "blocks that were released", blocks);
    releasedBlocks += blocks;
    look();
  }

  /** Looks whether there is something to give back. */
  public void look() {
    if (state() != State.IDLE) {
      return;
    }
    TrimPlanner.Plan plan = planner.begin(facts());
    if (plan.step() instanceof TrimStep.Wait(long nanos) && gate.enter()) {
      episode = plan.episode();
      settle(nanos);
    }
  }

  /**
   * Ends: gives back, at once, what this life of the store has freed, or took and did not need, if
   * that is much, and completes. The last checkpoint has been made, or could not be.
   */
  public void close(CompletionPort<Unit> port) {
    closing = true;
    boolean much = planner.isMuch(releasedBlocks + map.givenBackBlocks());
    if (timer != null) {
      timer.cancel();
      timer = null;
      if (much) {
        context.dispatcher().post(this::next);
      } else {
        idle();
      }
    } else if (state() == State.IDLE && much && gate.enter()) {
      pause();
    }
    gate.close(port);
  }

  /** Does one step. */
  private void next() {
    timer = null;
    TrimPlanner.Plan plan = planner.next(facts(), episode);
    episode = plan.episode();
    switch (plan.step()) {
      case TrimStep.Nothing nothing -> idle();
      case TrimStep.Wait(long nanos) -> settle(nanos);
      case TrimStep.Checkpoint needed -> checkpoint();
      case TrimStep.Punch(Extent run) -> punch(run);
      case TrimStep.Shrink(long totalBlocks) -> {
        // Before the checkpoint, so that its superblock has the new size.
        map.shrink(totalBlocks);
        checkpoint();
      }
      case TrimStep.Truncate now -> truncate();
    }
  }

  private TrimFacts facts() {
    EnumSet<Obstacle> obstacles = EnumSet.copyOf(refused);
    if (!context.space().mayTruncate()) {
      obstacles.add(Obstacle.VOLUME_GROWING);
    }
    return new TrimFacts(
        context.dispatcher().clock().monotonicNanos(),
        new TrimFacts.Volume(
            map.totalBlocks(),
            map.tailStart(),
            checkpoint.durable().volumeBlocks(),
            context.disk().sizeBlocks()),
        new TrimFacts.Free(
            map.unpunchedBlocks(),
            map.backedBlocks(),
            freshBlocks(),
            map.unbacked().longestDoubtful(),
            map.unbacked().longestBacked()),
        new TrimFacts.Use(
            map.committedBlocks(),
            map.promisedBlocks(),
            map.keptBlocks(Reserve.NORMAL),
            map.promisableBlocks(Reserve.NORMAL),
            map.handedOutBlocks(),
            context.space().isWanted()),
        new TrimFacts.Progress(
            state() == State.SETTLING,
            entrance.readOnly() != null,
            closing,
            closingPunches,
            obstacles));
  }

  /** Blocks freed since the last checkpoint, which the next one makes allocatable. */
  private long freshBlocks() {
    return Math.max(0, map.pendingBlocks() - oldPendingBlocks);
  }

  private void settle(long nanos) {
    if (state() != State.SETTLING) {
      become(State.SETTLING);
    }
    Dispatcher dispatcher = context.dispatcher();
    dispatcher
        .recorder()
        .inBackground("trim", () -> timer = dispatcher.schedule(nanos, this::next));
  }

  private void idle() {
    episode = TrimPlanner.Episode.NONE;
    become(State.IDLE);
    gate.leave();
  }

  private void pause() {
    become(State.PAUSING);
    if (closing) {
      context.dispatcher().post(this::next);
    } else {
      timer = context.dispatcher().schedule(context.config().trim().pauseNanos(), this::next);
    }
  }

  private void checkpoint() {
    Extent stillNeeded = runStillNeeded();
    if (stillNeeded != null) {
      punch(stillNeeded, /* held= */ false);
      return;
    }
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

  private void punch(Extent run) {
    // Out of the allocator before the device hears of it: a write into it would be punched away.
    map.unbacked().holdToPunch(run);
    boolean held = !isLetGoTooEarly();
    if (!held) {
      map.unbacked().backed(run);
    }
    punch(run, held);
  }

  private void punch(Extent run, boolean held) {
    Invariants.check(run.end() <= map.totalBlocks(), "hole behind the volume's end", run);
    become(State.PUNCHING);
    closingPunches += closing ? 1 : 0;
    context
        .disk()
        .submit(
            new DiskRequest.Discard(
                run.block(),
                run.blocks(),
                IoClass.BACKGROUND,
                completion -> punched(held ? run : null, completion)));
  }

  private void punched(@Nullable Extent held, Completion<Unit> completion) {
    boolean done = completion instanceof Completion.Done<Unit>;
    if (!done) {
      refused.add(Obstacle.PUNCH_REFUSED);
    }
    if (held != null) {
      if (done) {
        map.unbacked().unbacked(held);
      } else {
        // It may be half a hole: the device is asked for room before anybody gets it.
        map.unbacked().doubted(held);
      }
      context.space().heldReturned();
    }
    pause();
  }

  private void truncate() {
    long durable = checkpoint.durable().volumeBlocks();
    // Only behind a durable superblock with the new size: a file that is shorter does not open.
    Invariants.check(durable <= map.totalBlocks(), "cut too early", durable, map.totalBlocks());
    become(State.TRUNCATING);
    context
        .space()
        .truncate(
            completion -> {
              if (completion instanceof Completion.Failed<Unit>) {
                refused.add(Obstacle.CUT_REFUSED);
              }
              pause();
            });
  }

  // Broken on purpose.

  /** Whether nobody holds a run while it is punched; it is not a hole afterwards either. */
  private boolean isLetGoTooEarly() {
    return faults.has(StoreFault.PUNCH_WHILE_ALLOCATABLE) && brokenPunches++ < MAX_BROKEN_PUNCHES;
  }

  /** A run that was freed and that the durable checkpoint still needs, instead of the next one. */
  private @Nullable Extent runStillNeeded() {
    if (!faults.has(StoreFault.PUNCH_BEFORE_CHECKPOINT) || brokenPunches++ >= MAX_BROKEN_PUNCHES) {
      return null;
    }
    List<Extent> freed = new ArrayList<>();
    map.release(
        context.state().scn(),
        extent -> {
          freed.add(extent);
          return false;
        });
    freed.removeIf(extent -> extent.blocks() < context.config().trim().minPunchBlocks());
    return freed.isEmpty() ? null : freed.getLast();
  }
}
