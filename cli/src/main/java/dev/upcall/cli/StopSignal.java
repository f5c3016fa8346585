package dev.upcall.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C and SIGTERM: long work asks {@link #isAsked} and ends cleanly, while the process waits for
 * it. Any thread.
 */
final class StopSignal {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch finished = new CountDownLatch(1);

  /** From now on the process ends only when {@link #finished} was called, or after a minute. */
  void listen() {
    listen(Duration.ZERO);
  }

  /** The same, or after a minute and a time that the command may take besides. */
  void listen(Duration more) {
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
  void ask() {
    asked.countDown();
  }

  /** Whether the end was asked for. */
  boolean isAsked() {
    return asked.getCount() == 0;
  }

  /** Waits at most a time until the end is asked for; tells whether it was. */
  boolean await(long timeoutMillis) {
    try {
      return asked.await(timeoutMillis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException during) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  /** The command has ended; the process may. */
  void finished() {
    finished.countDown();
  }
}
