package dev.upcall.fileman.background;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.content.Times;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.FlightRecorder;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import dev.upcall.txn.Store;
import org.jspecify.annotations.Nullable;

/**
 * Collects files that have expired, in the background, by {@link StepCommits}. Nobody sees them any
 * more when it begins: it only gives their space back. It sleeps by one timer, until the first
 * expiry; timers know nothing of a wall clock that was set, so it never sleeps longer than {@link
 * #MAX_SLEEP_NANOS} while there is something to wait for.
 */
public final class Expirer extends StateMachine<ExpirerState> {
  public static final Transitions<ExpirerState> TRANSITIONS =
      Transitions.of("Expirer", ExpirerState.class, ExpirerState.IDLE)
          .on("begin", ExpirerState.IDLE, ExpirerState.STEPPING)
          .on("a file will expire", ExpirerState.IDLE, ExpirerState.WAITING)
          .on("its time may have come", ExpirerState.WAITING, ExpirerState.STEPPING)
          .on("the others expire later", ExpirerState.STEPPING, ExpirerState.WAITING)
          .on("no file will expire", ExpirerState.STEPPING, ExpirerState.IDLE)
          .on("busy or full", ExpirerState.STEPPING, ExpirerState.PAUSED)
          .on("the pause is over", ExpirerState.PAUSED, ExpirerState.STEPPING)
          .on("read-only or damaged", ExpirerState.STEPPING, ExpirerState.STOPPED)
          .on("close", ExpirerState.IDLE, ExpirerState.CLOSED)
          .on("close", ExpirerState.WAITING, ExpirerState.CLOSED)
          .on("close", ExpirerState.STEPPING, ExpirerState.CLOSED)
          .on("close", ExpirerState.PAUSED, ExpirerState.CLOSED)
          .on("close", ExpirerState.STOPPED, ExpirerState.CLOSED)
          .build();

  /** How late it may notice that the wall clock was set forward. */
  static final long MAX_SLEEP_NANOS = 60_000_000_000L;

  private static final long PAUSE_NANOS = 100_000_000;

  private final Dispatcher dispatcher;
  private final StepCommits commits;
  private long firstNanos = Times.NEVER;
  private long meanwhileNanos = Times.NEVER;
  private long files;
  private String failure = "";
  private Dispatcher.@Nullable Timer timer;

  public Expirer(Store store, int stepFiles) {
    super(TRANSITIONS, store.dispatcher());
    this.dispatcher = store.dispatcher();
    this.commits = new StepCommits(store, stepFiles);
  }

  /** Looks what is there: at the opening. */
  public void begin() {
    step();
  }

  /** A file was given an expiry, or may have been: {@link Times#NEVER} tells nothing. */
  public void expect(long expiresNanos) {
    meanwhileNanos = Math.min(meanwhileNanos, expiresNanos);
    if (expiresNanos >= firstNanos) {
      return;
    }
    firstNanos = expiresNanos;
    switch (state()) {
      case IDLE -> {
        become(ExpirerState.WAITING);
        sleep();
      }
      case WAITING -> sleep();
      case STEPPING, PAUSED, STOPPED, CLOSED -> {}
    }
  }

  /** Begins no step any more; the upcall runs when none is under way, never inside this call. */
  public void close(Runnable quiet) {
    become(ExpirerState.CLOSED);
    cancelTimer();
    commits.close(quiet);
  }

  public boolean isWorking() {
    return state() == ExpirerState.STEPPING || state() == ExpirerState.PAUSED;
  }

  public long files() {
    return files;
  }

  /** For how long a file that has expired has been waiting to be collected; 0 if there is none. */
  public long lagNanos() {
    return Math.max(0, dispatcher.clock().epochNanos() - firstNanos);
  }

  public String failure() {
    return failure;
  }

  private void step() {
    dispatcher
        .recorder()
        .inBackground(
            "expire",
            () -> {
              become(ExpirerState.STEPPING);
              request();
            });
  }

  private void request() {
    meanwhileNanos = Times.NEVER;
    commits.commit(ExpireStep::new, this::stepped);
  }

  private void stepped(Completion<ExpireStep.Progress> completion) {
    switch (completion) {
      case Completion.Done<ExpireStep.Progress>(ExpireStep.Progress progress) -> {
        files += progress.files();
        // What was expected meanwhile may not have been there when the step looked.
        firstNanos = Math.min(meanwhileNanos, progress.nextNanos());
        if (firstNanos == Times.NEVER) {
          become(ExpirerState.IDLE);
        } else if (firstNanos <= dispatcher.clock().epochNanos()) {
          request();
        } else {
          become(ExpirerState.WAITING);
          sleep();
        }
      }
      case Completion.Failed<ExpireStep.Progress>(Failure cause) -> failed(cause);
    }
  }

  private void failed(Failure cause) {
    switch (cause) {
      case Failure.Busy _, Failure.VolumeFull _, Failure.LockTimeout _ -> {
        become(ExpirerState.PAUSED);
        timer = dispatcher.schedule(PAUSE_NANOS, this::step);
      }
      default -> {
        failure = cause.message();
        become(ExpirerState.STOPPED);
      }
    }
  }

  private void sleep() {
    cancelTimer();
    long nanos = Math.max(0, firstNanos - dispatcher.clock().epochNanos());
    // Each waking is work of its own.
    dispatcher
        .recorder()
        .serving(
            FlightRecorder.NOBODY,
            () -> timer = dispatcher.schedule(Math.min(nanos, MAX_SLEEP_NANOS), this::step));
  }

  private void cancelTimer() {
    if (timer != null) {
      timer.cancel();
    }
  }
}
