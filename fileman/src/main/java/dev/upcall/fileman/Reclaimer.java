package dev.upcall.fileman;

import dev.upcall.fsm.Completion;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.Failure;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import dev.upcall.txn.Durability;
import dev.upcall.txn.Store;
import org.jspecify.annotations.Nullable;

/**
 * Takes detached directories apart in the background, one small durable commit after the other, so
 * that it advances no faster than the log and foreground requests go in between.
 */
final class Reclaimer extends StateMachine<ReclaimerState> {
  static final Transitions<ReclaimerState> TRANSITIONS =
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

  private final Store store;
  private final Dispatcher dispatcher;
  private final int stepEntries;
  private int entriesOfNextStep;
  private long directory;
  private long entries;
  private boolean wokenAgain;
  private String failure = "";
  private Dispatcher.@Nullable Timer timer;
  private boolean stepInFlight;
  private @Nullable Runnable whenQuiet;

  Reclaimer(Store store, int stepEntries) {
    super(TRANSITIONS, store.dispatcher());
    this.store = store;
    this.dispatcher = store.dispatcher();
    this.stepEntries = stepEntries;
    this.entriesOfNextStep = stepEntries;
  }

  /** A directory was, or may have been, detached. */
  void wake() {
    wokenAgain = true;
    if (state() == ReclaimerState.IDLE) {
      step();
    }
  }

  /** Begins no step any more; the upcall runs when none is under way, never inside this call. */
  void close(Runnable quiet) {
    become(ReclaimerState.CLOSED);
    if (timer != null) {
      timer.cancel();
    }
    if (stepInFlight) {
      whenQuiet = quiet;
    } else {
      dispatcher.post(quiet);
    }
  }

  boolean isWorking() {
    return state() == ReclaimerState.STEPPING || state() == ReclaimerState.PAUSED;
  }

  long entries() {
    return entries;
  }

  String failure() {
    return failure;
  }

  private void step() {
    become(ReclaimerState.STEPPING);
    request();
  }

  private void request() {
    if (directory == 0) {
      wokenAgain = false;
    }
    stepInFlight = true;
    long now = dispatcher.clock().epochNanos();
    store.change(
        new ReclaimStep(directory, entriesOfNextStep, now), Durability.SYNC, this::stepped);
  }

  private void stepped(Completion<ReclaimStep.Progress> completion) {
    stepInFlight = false;
    if (state() == ReclaimerState.CLOSED) {
      if (whenQuiet != null) {
        whenQuiet.run();
      }
      return;
    }
    switch (completion) {
      case Completion.Done<ReclaimStep.Progress>(ReclaimStep.Progress progress) -> {
        entries += progress.entries();
        directory = progress.directory();
        entriesOfNextStep = Math.min(stepEntries, entriesOfNextStep * 2);
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
      case Failure.TooLarge _ when entriesOfNextStep > 1 -> {
        entriesOfNextStep /= 2;
        request();
      }
      case Failure.Busy _, Failure.VolumeFull _ -> {
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
