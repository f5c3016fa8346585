package dev.upcall.txn.log;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import dev.upcall.io.DiskRequest;
import dev.upcall.space.Extent;
import java.util.Iterator;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Prepares the ring on the log's first lap, a step at a time, ahead of the log: room on the device,
 * zeros, a sync. Dispatcher's thread.
 */
public final class LogPreparation extends StateMachine<LogPreparation.State> {
  /** Whether a step is being prepared. */
  public enum State {
    /** Nothing is to be done. */
    IDLE,
    /** A step is getting its room on the device, and zeros, one request after the other. */
    PREPARING
  }

  /** The legal transitions. */
  public static final Transitions<State> TRANSITIONS =
      Transitions.of("LogPreparation", State.class, State.IDLE)
          .on("log near the end of what is prepared", State.IDLE, State.PREPARING)
          .on("prepared, failed", State.PREPARING, State.IDLE)
          .build();

  private final LogEnvironment env;
  private final LogRoom room;
  private final Runnable ended;
  private final Consumer<Failure> syncFailed;

  /**
   * Of the ring that has this room.
   *
   * @param ended hears that there may be room, or no hope for any
   * @param syncFailed hears that nothing on the device can be believed any more
   */
  LogPreparation(LogEnvironment env, LogRoom room, Runnable ended, Consumer<Failure> syncFailed) {
    super(TRANSITIONS, env.dispatcher());
    this.env = env;
    this.room = room;
    this.ended = ended;
    this.syncFailed = syncFailed;
  }

  boolean isRunning() {
    return state() == State.PREPARING;
  }

  /** Begins the next step if there is one to be prepared. */
  void look() {
    Extent step = room.toPrepare();
    if (step != null && !isRunning()) {
      become(State.PREPARING);
      next(step, RingTransfer.preparing(env.layout(), step).iterator());
    }
  }

  private void next(Extent step, Iterator<Function<CompletionPort<Unit>, DiskRequest>> left) {
    if (!left.hasNext()) {
      end(step, null);
      return;
    }
    Function<CompletionPort<Unit>, DiskRequest> request = left.next();
    env.disk()
        .submit(
            request.apply(
                CompletionPort.of(
                    done -> next(step, left),
                    why -> {
                      if (!left.hasNext()) {
                        syncFailed.accept(why);
                      }
                      end(step, why);
                    })));
  }

  private void end(Extent step, @Nullable Failure failure) {
    become(State.IDLE);
    room.preparingEnded(step, failure);
    ended.run();
  }
}
