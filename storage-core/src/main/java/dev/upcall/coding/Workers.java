package dev.upcall.coding;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.fsm.Dispatcher;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Helpers for what computes longer than an upcall may: no more at once than leave the dispatcher
 * its core. More work waits in the order of its coming; callers bound how much that is. Where no
 * thread can be had, the work is done at once on the dispatcher's. Dispatcher's thread only.
 */
public final class Workers {
  private final Dispatcher dispatcher;
  private final int most;
  private final ArrayDeque<Job<?>> line = new ArrayDeque<>();
  private int busy;

  private record Job<T>(String what, Supplier<Completion<T>> work, CompletionPort<T> port) {}

  /** All cores but one, and one at least. */
  public Workers(Dispatcher dispatcher) {
    this(dispatcher, Math.max(1, Runtime.getRuntime().availableProcessors() - 1));
  }

  Workers(Dispatcher dispatcher, int most) {
    this.dispatcher = dispatcher;
    this.most = most;
  }

  /**
   * Has something computed. Failures: the work's own, and {@code Busy} for whatever it throws: a
   * native library that gets no memory, the heap that is full.
   *
   * @param what the work's name, for its thread and for messages
   * @param work on another thread
   * @param port not inside this call
   */
  public <T> void compute(String what, Supplier<Completion<T>> work, CompletionPort<T> port) {
    dispatcher.checkOwner();
    Job<T> job =
        new Job<>(
            Objects.requireNonNull(what, "what"),
            Objects.requireNonNull(work, "work"),
            Objects.requireNonNull(port, "port"));
    if (busy < most) {
      begin(job);
    } else {
      line.addLast(job);
    }
  }

  private <T> void begin(Job<T> job) {
    busy++;
    if (!dispatcher.help(
        job.what(), () -> made(job), (Completion<T> completion) -> over(job, completion))) {
      Completion<T> completion = made(job);
      dispatcher.post(() -> over(job, completion));
    }
  }

  private <T> void over(Job<T> job, Completion<T> completion) {
    busy--;
    Job<?> next = line.pollFirst();
    if (next != null) {
      begin(next);
    }
    job.port().complete(completion);
  }

  /** Nobody else would hear of what it throws: not its request, and not those behind it. */
  private static <T> Completion<T> made(Job<T> job) {
    try {
      return job.work().get();
    } catch (RuntimeException | Error thrown) {
      return Completion.failed(
          new Failure.Busy("memory for %s (%s)".formatted(job.what(), thrown), "try again"));
    }
  }
}
