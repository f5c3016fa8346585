package dev.upcall.cli.shell;

import dev.upcall.cli.option.CommandFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Ctrl-C and SIGTERM: long work asks {@link #isAsked} and ends cleanly, while the process waits for
 * it. Any thread.
 */
public class StopSignal {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final List<Runnable> whenAsked = new ArrayList<>();
  private final CountDownLatch asked = new CountDownLatch(1);
  private final AtomicBoolean listens = new AtomicBoolean();
  private final CountDownLatch finished = new CountDownLatch(1);

  /** From now on the process ends only when {@link #finished} was called, or after a minute. */
  public final void listen() {
    listen(Duration.ZERO);
  }

  /** The same, or after a minute and a time that the command may take besides. */
  public void listen(Duration more) {
    if (!listens.compareAndSet(false, true)) {
      return;
    }
    Duration patience = PATIENCE.plus(more);
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform().name("stop").unstarted(() -> askAndWait(patience.toMillis())));
  }

  private void askAndWait(long patienceMillis) {
    ask();
    try {
      finished.await(patienceMillis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException during) {
      Thread.currentThread().interrupt();
    }
  }

  /** Asks for the end. */
  public final void ask() {
    List<Runnable> actions;
    synchronized (whenAsked) {
      asked.countDown();
      actions = List.copyOf(whenAsked);
      whenAsked.clear();
    }
    actions.forEach(Runnable::run);
  }

  /** Runs something when the end is asked for, on that thread; at once if it was. */
  public final void whenAsked(Runnable action) {
    synchronized (whenAsked) {
      if (!isAsked()) {
        whenAsked.add(action);
        return;
      }
    }
    action.run();
  }

  /** Ends a command that was told to; for those that have nothing to put in order. */
  public final void endIfAsked() {
    if (isAsked()) {
      throw CommandFailure.failed("stopped");
    }
  }

  /** Whether the end was asked for. */
  public final boolean isAsked() {
    return asked.getCount() == 0;
  }

  /** Waits at most a time until the end is asked for; tells whether it was. */
  public final boolean await(long timeoutMillis) {
    try {
      return asked.await(timeoutMillis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException during) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  /** The command has ended; the process may. */
  public final void finished() {
    finished.countDown();
  }
}
