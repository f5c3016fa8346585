package dev.upcall.io.volume;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.wakeup.Abandonable;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Runs rare work that must block (opening, truncating, closing) on a helper's thread and brings the
 * result back as a completion.
 */
public final class HelperThread {
  private HelperThread() {}

  /**
   * Has the work begun and returns at once; the dispatcher's thread. What the work throws becomes a
   * {@code Device} failure; {@code Busy} if no thread can be had.
   *
   * @param what the work's name, for messages and the thread
   */
  public static <T> void run(
      Dispatcher dispatcher, String what, Supplier<Completion<T>> work, CompletionPort<T> port) {
    run(dispatcher, what, work, port, unheard -> {});
  }

  /**
   * As above.
   *
   * @param unheard gets the completion in the port's stead when the dispatcher has ended; runs on
   *     its last thread or on the helper's
   */
  static <T> void run(
      Dispatcher dispatcher,
      String what,
      Supplier<Completion<T>> work,
      CompletionPort<T> port,
      Consumer<Completion<T>> unheard) {
    if (!dispatcher.help(what, task(dispatcher, what, work, port, unheard))) {
      dispatcher.complete(port, Completion.failed(noThread(what)));
    }
  }

  /** Why work was not begun. */
  static Failure noThread(String what) {
    return new Failure.Busy(
        "threads of this process or its control group (for \"%s\")".formatted(what),
        "allow more (ulimit -u, pids.max), or end some");
  }

  private static <T> Runnable task(
      Dispatcher dispatcher,
      String what,
      Supplier<Completion<T>> work,
      CompletionPort<T> port,
      Consumer<Completion<T>> unheard) {
    return () -> {
      Arrival<T> arrival = new Arrival<>(guarded(what, work), port, unheard);
      if (!handOver(dispatcher, arrival)) {
        arrival.abandon();
      }
    };
  }

  /** A completion on its way. */
  private record Arrival<T>(
      Completion<T> completion, CompletionPort<T> port, Consumer<Completion<T>> unheard)
      implements Runnable, Abandonable {
    @Override
    public void run() {
      port.complete(completion);
    }

    @Override
    public void abandon() {
      unheard.accept(completion);
    }
  }

  /** Gives an upcall to the dispatcher, unless that has ended: then nobody waits for it. */
  static boolean handOver(Dispatcher dispatcher, Runnable upcall) {
    try {
      dispatcher.execute(upcall);
      return true;
    } catch (RejectedExecutionException ended) {
      System.getLogger(HelperThread.class.getName())
          .log(System.Logger.Level.DEBUG, "the dispatcher ended before a completion", ended);
      return false;
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
