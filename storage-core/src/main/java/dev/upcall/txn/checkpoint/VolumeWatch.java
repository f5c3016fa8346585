package dev.upcall.txn.checkpoint;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.txn.state.StoreContext;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether the volume's file is still there while the store changes: a file that was removed,
 * or cut, takes every write, and nobody would find one of them again. A store in which nothing
 * changes does not look. Each checkpoint looks, too, before it names anything.
 */
public final class VolumeWatch extends StateMachine<VolumeWatch.State> {
  /** How long after a look the next one is made, if anything has changed since. */
  public static final long INTERVAL_NANOS = 1_000_000_000L;

  /** Whether a look is due. */
  enum State {
    /** Nothing has changed since the last look. */
    RESTING,
    /** Something has, and the interval is not over. */
    DUE,
    /** The disk was asked. */
    LOOKING,
    /** The volume is lost, or the store takes no more changes. */
    OVER
  }

  public static final Transitions<State> TRANSITIONS =
      Transitions.of("VolumeWatch", State.class, State.RESTING)
          .on("a change", State.RESTING, State.DUE)
          .on("the interval is over", State.DUE, State.LOOKING)
          .on("whole", State.LOOKING, State.RESTING)
          .on("whole, and changed meanwhile", State.LOOKING, State.DUE)
          .on("removed or cut", State.LOOKING, State.OVER)
          .on("closed", State.RESTING, State.OVER)
          .on("closed", State.DUE, State.OVER)
          .on("closed", State.LOOKING, State.OVER)
          .build();

  private final StoreContext context;
  private final Consumer<Failure> lost;
  private Dispatcher.@Nullable Timer timer;
  private long lookedNanos;
  private long seenScn;

  /**
   * A watch of a volume that was just opened.
   *
   * @param lost hears of it, once
   */
  public VolumeWatch(StoreContext context, Consumer<Failure> lost) {
    super(TRANSITIONS, context.dispatcher());
    this.context = context;
    this.lost = lost;
    this.lookedNanos = context.dispatcher().upcallNanos();
  }

  /** Whether it wants to hear of the next change. */
  public boolean isResting() {
    return state() == State.RESTING;
  }

  /** A change was applied. */
  public void changed() {
    if (state() == State.RESTING) {
      due();
    }
  }

  private void due() {
    become(State.DUE);
    long sinceNanos = context.dispatcher().upcallNanos() - lookedNanos;
    timer = context.dispatcher().schedule(Math.max(0, INTERVAL_NANOS - sinceNanos), this::look);
  }

  private void look() {
    become(State.LOOKING);
    seenScn = context.state().scn();
    context.disk().submit(new DiskRequest.Stat(IoClass.FOREGROUND_WRITE, this::looked));
  }

  private void looked(Completion<Unit> completion) {
    if (state() == State.OVER) {
      return;
    }
    lookedNanos = context.dispatcher().upcallNanos();
    switch (completion) {
      case Completion.Failed<Unit>(Failure why) -> {
        become(State.OVER);
        lost.accept(why);
      }
      case Completion.Done<Unit> _ when context.state().scn() > seenScn -> due();
      case Completion.Done<Unit> _ -> become(State.RESTING);
    }
  }

  /** Looks no more. */
  public void close() {
    Dispatcher.Timer armed = timer;
    if (armed != null) {
      armed.cancel();
    }
    if (state() != State.OVER) {
      become(State.OVER);
    }
  }
}
