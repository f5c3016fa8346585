package dev.upcall.txn.reclaim;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import dev.upcall.space.Extent;
import dev.upcall.space.FreeMap;
import dev.upcall.txn.state.StoreContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/**
 * Makes free what was freed and is out of every reader's sight: at once if it is little, otherwise
 * a bounded piece in each turn of the dispatcher. Whoever needs space meanwhile waits for the next
 * piece and is not told that there is none ({@link
 * dev.upcall.segment.space.SpaceManager#cameBack}).
 *
 * <p>The SCN up to which extents are due only grows: who comes later pins the present SCN, which is
 * never older than a checkpoint that is durable already, so what was due when a release began stays
 * so, whoever opens a snapshot while it is under way.
 */
public final class DeferredFree extends StateMachine<DeferredFree.State> {
  /** Whether something is under way. */
  enum State {
    /** Nothing that could be free is left. */
    IDLE,
    /** What is due becomes free, a piece in each turn. */
    RELEASING
  }

  static final Transitions<State> TRANSITIONS =
      Transitions.of("SpaceRelease", State.class, State.IDLE)
          .on("more than one piece is due", State.IDLE, State.RELEASING)
          .on("nothing more is due", State.RELEASING, State.IDLE)
          .build();

  private final StoreContext context;
  private final LongConsumer listener;
  private final Predicate<Extent> unused = this::isUnused;
  private final List<CompletionPort<Unit>> waiting = new ArrayList<>();
  private long dueScn;

  /**
   * A release that has nothing to do.
   *
   * @param listener hears of each piece how many blocks are no longer pending
   */
  public DeferredFree(StoreContext context, LongConsumer listener) {
    super(TRANSITIONS, context.dispatcher());
    this.context = context;
    this.listener = listener;
  }

  /** What was freed up to an SCN is due: a checkpoint of it is durable, and nobody reads it. */
  public void upTo(long scn) {
    long present = context.state().scn();
    Invariants.check(scn <= present, "due before it is freed", scn, present);
    dueScn = Math.max(dueScn, scn);
    if (state() == State.IDLE) {
      step();
    }
  }

  /** Completes when nothing is under way. */
  public void whenOver(CompletionPort<Unit> port) {
    waiting.add(port);
    if (state() == State.IDLE) {
      tellWaiting();
    }
  }

  private void step() {
    FreeMap map = context.state().map();
    long pendingBefore = map.pendingBlocks();
    boolean more = map.releaseSome(dueScn, context.config().releaseExtents(), unused);
    long blocks = pendingBefore - map.pendingBlocks();
    Invariants.check(blocks >= 0, "more pending after a release", blocks);
    if (more) {
      if (state() == State.IDLE) {
        become(State.RELEASING);
      }
      // A timer, not a post: others have their turn, and the disk, before the next piece.
      context.dispatcher().schedule(0, this::step);
    } else if (state() == State.RELEASING) {
      become(State.IDLE);
    }
    // After the state has moved: whoever gets the blocks may free others, and come back here.
    context.space().cameBack(blocks, more, more ? context.state().lackingBlocks() : 0);
    if (blocks > 0) {
      listener.accept(blocks);
    }
    if (!more) {
      tellWaiting();
    }
  }

  private void tellWaiting() {
    List<CompletionPort<Unit>> told = List.copyOf(waiting);
    waiting.clear();
    told.forEach(port -> context.dispatcher().complete(port, Completion.done()));
  }

  /** Nothing may find the old content of an extent that is about to get new content. */
  public boolean isUnused(Extent extent) {
    // Forgotten first: a hit in between would read on in what is about to be somebody else's.
    context.buffers().forget(extent);
    return !context.buffers().isReading(extent);
  }
}
