package dev.upcall.coding;

import dev.upcall.fsm.Dispatcher;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.function.Consumer;
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

  private record Job<T>(String what, Supplier<T> work, Consumer<? super T> then) {}

  /** All cores but one, and one at least. */
  public Workers(Dispatcher dispatcher) {
    this(dispatcher, Math.max(1, Runtime.getRuntime().availableProcessors() - 1));
  }

  Workers(Dispatcher dispatcher, int most) {
    this.dispatcher = dispatcher;
    this.most = most;
  }

  /**
   * Has something computed.
   *
   * @param what the work's name, for its thread
   * @param work throws nothing; on another thread
   * @param then an upcall that gets what was made; not inside this call
   */
  public <T> void compute(String what, Supplier<T> work, Consumer<? super T> then) {
    dispatcher.checkOwner();
    Job<T> job =
        new Job<>(
            Objects.requireNonNull(what, "what"),
            Objects.requireNonNull(work, "work"),
            Objects.requireNonNull(then, "then"));
    if (busy < most) {
      begin(job);
    } else {
      line.addLast(job);
    }
  }

  /** As {@link #compute} of what takes no time: it is done at once, and brought by an upcall. */
  public <T> void bring(Supplier<T> work, Consumer<? super T> then) {
    dispatcher.checkOwner();
    T made = Objects.requireNonNull(work, "work").get();
    Objects.requireNonNull(then, "then");
    dispatcher.post(() -> then.accept(made));
  }

  private <T> void begin(Job<T> job) {
    busy++;
    Consumer<T> over =
        made -> {
          busy--;
          Job<?> next = line.pollFirst();
          if (next != null) {
            begin(next);
          }
          job.then().accept(made);
        };
    if (!dispatcher.help(job.what(), job.work(), over)) {
      T made = job.work().get();
      dispatcher.post(() -> over.accept(made));
    }
  }
}
