package dev.upcall.coding;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.fsm.Dispatcher;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Helpers for what computes longer than an upcall may: no more at once than leave the dispatcher
 * its core. More work waits in the order of its coming; callers bound how much that is. A helper
 * takes a few short pieces of it at once, because handing one over costs as much as doing it. Where
 * no thread can be had, the work is done at once on the dispatcher's. Dispatcher's thread only.
 */
public final class Workers {
  /** So many units are computed in half a millisecond or so. */
  static final int TOGETHER_UNITS = 8;

  private final Dispatcher dispatcher;
  private final int most;
  private final ArrayDeque<Job<?>> line = new ArrayDeque<>();
  private int busy;

  private record Job<T>(
      String what, int units, Supplier<Completion<T>> work, CompletionPort<T> port) {
    /** Nobody else would hear of what it throws: not its request, and not those behind it. */
    Made<T> made() {
      try {
        return new Made<>(port, work.get());
      } catch (RuntimeException | Error thrown) {
        return new Made<>(port, Completion.failed(failure(thrown)));
      }
    }

    private Failure failure(Throwable thrown) {
      return thrown instanceof OutOfMemoryError
          ? new Failure.Busy("memory for %s (%s)".formatted(what, thrown), "try again")
          : new Failure.Unsupported(what + " failed in this program", thrown.toString());
    }
  }

  private record Made<T>(CompletionPort<T> port, Completion<T> completion) {
    void deliver() {
      port.complete(completion);
    }
  }

  /** All cores but one, and one at least. */
  public Workers(Dispatcher dispatcher) {
    this(dispatcher, Math.max(1, Runtime.getRuntime().availableProcessors() - 1));
  }

  Workers(Dispatcher dispatcher, int most) {
    this.dispatcher = dispatcher;
    this.most = most;
  }

  /**
   * Has something computed. Failures: the work's own, {@code Busy} where it finds no memory, and
   * {@code Unsupported} with whatever else it throws, which is a fault of a codec and no damage.
   *
   * @param what the work's name, for its thread and for messages
   * @param units how many it is about
   * @param work on another thread
   * @param port not inside this call
   */
  public <T> void compute(
      String what, int units, Supplier<Completion<T>> work, CompletionPort<T> port) {
    dispatcher.checkOwner();
    line.addLast(
        new Job<>(
            Objects.requireNonNull(what, "what"),
            units,
            Objects.requireNonNull(work, "work"),
            Objects.requireNonNull(port, "port")));
    if (busy < most) {
      begin();
    }
  }

  private void begin() {
    busy++;
    List<Job<?>> jobs = next();
    if (!dispatcher.help(jobs.getFirst().what(), () -> made(jobs), this::over)) {
      jobs.subList(1, jobs.size()).reversed().forEach(line::addFirst);
      List<Made<?>> made = made(jobs.subList(0, 1));
      dispatcher.post(() -> over(made));
    }
  }

  /** The first of the line, and those behind it that other helpers are not to do beside it. */
  private List<Job<?>> next() {
    List<Job<?>> jobs = new ArrayList<>();
    int left = Math.ceilDiv(line.size(), most);
    int units = 0;
    do {
      units += line.getFirst().units();
      jobs.add(line.removeFirst());
      left--;
    } while (left > 0 && units + line.getFirst().units() <= TOGETHER_UNITS);
    return jobs;
  }

  private static List<Made<?>> made(List<Job<?>> jobs) {
    List<Made<?>> made = new ArrayList<>(jobs.size());
    jobs.forEach(job -> made.add(job.made()));
    return made;
  }

  /** The helper goes on with others while each of these has an upcall of its own. */
  private void over(List<Made<?>> made) {
    busy--;
    if (!line.isEmpty()) {
      begin();
    }
    made.subList(1, made.size()).forEach(each -> dispatcher.post(each::deliver));
    made.getFirst().deliver();
  }
}
