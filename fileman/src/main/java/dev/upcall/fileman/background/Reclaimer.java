package dev.upcall.fileman.background;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import dev.upcall.txn.Store;
import org.jspecify.annotations.Nullable;

/** Takes detached directories apart in the background, by {@link StepCommits}. */
public final class Reclaimer extends StateMachine<ReclaimerState> {
  public static final Transitions<ReclaimerState> TRANSITIONS =
      Transitions.of("Reclaimer", ReclaimerState.class, ReclaimerState.IDLE)
          .on("woken", ReclaimerState.IDLE, ReclaimerState.STEPPING)
          .on("nothing left", ReclaimerState.STEPPING, ReclaimerState.IDLE)
          .on("busy or full", ReclaimerState.STEPPING, ReclaimerState.PAUSED)
          .on("the pause is over", ReclaimerState.PAUSED, ReclaimerState.STEPPING)
          .on("read-only or damaged", ReclaimerState.STEPPING, ReclaimerState.STOPPED)
          .on("close", ReclaimerState.IDLE, ReclaimerState.CLOSED)
          .on("close", ReclaimerState.STEPPING, ReclaimerState.CLOSED)
          .on("close", ReclaimerState.PAUSED, ReclaimerState.CLOSED)
          .on("close", ReclaimerState.STOPPED, ReclaimerState.CLOSED)
          .build();

  private static final long PAUSE_NANOS = 100_000_000;

  private final Dispatcher dispatcher;
  private final StepCommits commits;
  private long directory;
  private long entries;
  private boolean wokenAgain;
  private String failure = "";
  private Dispatcher.@Nullable Timer timer;

  public Reclaimer(Store store, int stepEntries) {
    super(TRANSITIONS, store.dispatcher());
    this.dispatcher = store.dispatcher();
    this.commits = new StepCommits(store, stepEntries);
  }

  /** A directory was, or may have been, detached. */
  public void wake() {
    wokenAgain = true;
    if (state() == ReclaimerState.IDLE) {
      step();
    }
  }

  /** Begins no step any more; the upcall runs when none is under way, never inside this call. */
  public void close(Runnable quiet) {
    become(ReclaimerState.CLOSED);
    if (timer != null) {
      timer.cancel();
    }
    commits.close(quiet);
  }

  public boolean isWorking() {
    return state() == ReclaimerState.STEPPING || state() == ReclaimerState.PAUSED;
  }

  public long entries() {
    return entries;
  }

  public String failure() {
    return failure;
  }

  private void step() {
    dispatcher
        .recorder()
        .inBackground(
            "delete trees",
            () -> {
              become(ReclaimerState.STEPPING);
              request();
            });
  }

  private void request() {
    if (directory == 0) {
      wokenAgain = false;
    }
    commits.commit((limit, now) -> new ReclaimStep(directory, limit, now), this::stepped);
  }

  private void stepped(Completion<ReclaimStep.Progress> completion) {
    switch (completion) {
      case Completion.Done<ReclaimStep.Progress>(ReclaimStep.Progress progress) -> {
        entries += progress.entries();
        directory = progress.directory();
        if (progress.more() || wokenAgain) {
          request();
        } else {
          become(ReclaimerState.IDLE);
        }
      }
      case Completion.Failed<ReclaimStep.Progress>(Failure cause) -> failed(cause);
    }
  }

  private void failed(Failure cause) {
    switch (cause) {
      case Failure.Busy _, Failure.VolumeFull _, Failure.LockTimeout _ -> {
        become(ReclaimerState.PAUSED);
        timer = dispatcher.schedule(PAUSE_NANOS, this::step);
      }
      default -> {
        failure = cause.message();
        become(ReclaimerState.STOPPED);
      }
    }
  }
}
