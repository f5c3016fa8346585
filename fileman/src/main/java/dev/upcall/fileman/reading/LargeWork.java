package dev.upcall.fileman.reading;

import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.HeapBudget;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Makes arrays and texts of whole files. Of many bytes that would keep the dispatcher's thread too
 * long (a fresh array is cleared), and the heap may have no room, which that thread must not find
 * out: a helper makes them, one after the other, so that there is one helper however many wait.
 * Dispatcher's thread.
 */
public final class LargeWork {
  /** What is made at once: some microseconds' work. */
  static final int MAX_AT_ONCE_BYTES = 256 << 10;

  private final Dispatcher dispatcher;

  /** The first is being made. */
  private final ArrayDeque<Runnable> line = new ArrayDeque<>();

  /** Work for whom that dispatcher's thread answers. */
  public LargeWork(Dispatcher dispatcher) {
    this.dispatcher = Objects.requireNonNull(dispatcher, "dispatcher");
  }

  /**
   * Makes something for which its caller has taken a part of the {@link HeapBudget}; {@code Busy}
   * where the heap has no room all the same.
   *
   * @param file whose bytes they are, for that message
   * @param bytes how many
   * @param making allocates and computes: waits for nothing, since of few bytes it is done in this
   *     call, and throws nothing but that there is no room
   * @param port may hear inside this call
   */
  public <T> void run(
      StorePath file, int bytes, Supplier<Completion<T>> making, CompletionPort<T> port) {
    if (bytes <= MAX_AT_ONCE_BYTES) {
      port.complete(atOnce(making));
      return;
    }
    line.add(
        () -> {
          boolean begun =
              dispatcher.help(
                  "a whole file",
                  () -> ifRoom(file, bytes, making),
                  (Completion<T> made) -> answered(made, port));
          if (!begun) {
            dispatcher.post(() -> answered(Completion.failed(noThread(file)), port));
          }
        });
    if (line.size() == 1) {
      line.element().run();
    }
  }

  /** On the dispatcher's thread: where there is no room for this, none is taken to say so. */
  private static <T> Completion<T> atOnce(Supplier<Completion<T>> making) {
    try {
      return making.get();
    } catch (OutOfMemoryError noRoom) {
      return HeapBudget.failedFull();
    }
  }

  private <T> void answered(Completion<T> made, CompletionPort<T> port) {
    line.remove();
    if (!line.isEmpty()) {
      line.element().run();
    }
    port.complete(made);
  }

  private static Failure noThread(StorePath file) {
    return new Failure.Busy(
        "threads of this process or its control group (for all of %s)".formatted(file),
        "read ranges, or allow more (ulimit -u, pids.max)");
  }

  /** The helper's thread. */
  private static <T> Completion<T> ifRoom(
      StorePath file, int bytes, Supplier<Completion<T>> making) {
    try {
      return making.get();
    } catch (OutOfMemoryError noRoom) {
      return Completion.failed(HeapBudget.noRoom(file, bytes));
    }
  }
}
