package dev.upcall.io;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.fsm.Dispatcher;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/**
 * Runs rare work that must block (opening, truncating, closing) on a thread of its own and brings
 * the result back as a completion.
 */
public final class HelperThread {
  private HelperThread() {}

  /**
   * Starts the work on a new thread and returns at once. What the work throws becomes a {@code
   * Device} failure.
   *
   * @param what the work's name, for messages and the thread
   */
  public static <T> void run(
      Dispatcher dispatcher, String what, Supplier<Completion<T>> work, CompletionPort<T> port) {
    Thread.ofPlatform()
        .daemon()
        .name("upcall-helper: " + what)
        .start(
            () -> {
              Completion<T> completion = guarded(what, work);
              handOver(dispatcher, () -> port.complete(completion));
            });
  }

  /** Gives an upcall to the dispatcher, unless that has ended: then nobody waits for it. */
  static void handOver(Dispatcher dispatcher, Runnable upcall) {
    try {
      dispatcher.execute(upcall);
    } catch (RejectedExecutionException ended) {
      System.getLogger(HelperThread.class.getName())
          .log(System.Logger.Level.DEBUG, "the dispatcher ended before a completion", ended);
    }
  }

  private static <T> Completion<T> guarded(String what, Supplier<Completion<T>> work) {
    try {
      return work.get();
    } catch (RuntimeException | Error error) {
      return Completion.failed(new Failure.Device(what, String.valueOf(error)));
    }
  }
}
