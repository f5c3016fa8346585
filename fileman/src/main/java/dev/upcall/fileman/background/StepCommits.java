package dev.upcall.fileman.background;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.store.Durability;
import dev.upcall.txn.Change;
import dev.upcall.txn.Store;
import org.jspecify.annotations.Nullable;

/**
 * How machines in the background change the store: one small durable commit at a time, so that they
 * advance no faster than the log and foreground requests go in between. A step that was too large
 * for the log is tried again with half as much in it.
 */
final class StepCommits {
  private final Store store;
  private final int maxEntries;
  private int entries;
  private boolean inFlight;
  private @Nullable Runnable whenQuiet;

  /**
   * Commits for one machine.
   *
   * @param maxEntries what a step may take on
   */
  StepCommits(Store store, int maxEntries) {
    this.store = store;
    this.maxEntries = maxEntries;
    this.entries = maxEntries;
  }

  /** Makes a step of a size, at a time. */
  interface Step<P> {
    Change<P> of(int entries, long timeNanos);
  }

  /** Begins a step; one at a time. After {@link #close} its port hears nothing any more. */
  <P> void commit(Step<P> step, CompletionPort<P> port) {
    inFlight = true;
    long now = store.dispatcher().clock().epochNanos();
    store.change(
        step.of(entries, now), Durability.SYNC, completion -> ended(step, completion, port));
  }

  private <P> void ended(Step<P> step, Completion<P> completion, CompletionPort<P> port) {
    inFlight = false;
    if (whenQuiet != null) {
      whenQuiet.run();
      return;
    }
    switch (completion) {
      case Completion.Done<P> _ -> {
        entries = Math.min(maxEntries, entries * 2);
        port.complete(completion);
      }
      case Completion.Failed<P>(Failure failure) -> {
        if (failure instanceof Failure.TooLarge && entries > 1) {
          entries /= 2;
          commit(step, port);
        } else {
          port.complete(completion);
        }
      }
    }
  }

  /** The upcall runs when no step is under way, never inside this call. */
  void close(Runnable quiet) {
    if (inFlight) {
      whenQuiet = quiet;
    } else {
      store.dispatcher().post(quiet);
    }
  }
}
