package dev.upcall.bench.ecommerce.machine;

import dev.upcall.fsm.Dispatcher;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/**
 * A processor that works for one thread until that waits for something or its slice is over, then
 * for the next in turn.
 */
public final class Processor {
  /**
   * What Linux 2.6.16 gives a thread beside others of its priority: 5 to 80 ms, the less the more
   * it sleeps.
   */
  private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** The next one goes on in an upcall of its own. */
  private static final long SWITCH_NANOS = 1;

  private final Dispatcher dispatcher;
  private final ArrayDeque<Runnable> turns = new ArrayDeque<>();
  private boolean isTaken;
  private long leftNanos;

  Processor(Dispatcher dispatcher) {
    this.dispatcher = dispatcher;
  }

  /** A thread has something to do: {@code run} runs when it has the processor. */
  void enter(Runnable run) {
    if (isTaken) {
      turns.addLast(run);
    } else {
      isTaken = true;
      leftNanos = SLICE_NANOS;
      run.run();
    }
  }

  /** Works for the thread that has the processor, which goes on, perhaps after the others. */
  void work(long nanos, Runnable then) {
    dispatcher.schedule(
        nanos,
        () -> {
          leftNanos -= nanos;
          if (leftNanos > 0 || turns.isEmpty()) {
            then.run();
          } else {
            turns.addLast(then);
            leave();
          }
        });
  }

  /** The thread that has the processor waits for something else, or has ended. */
  void leave() {
    Runnable next = turns.pollFirst();
    leftNanos = SLICE_NANOS;
    if (next == null) {
      isTaken = false;
    } else {
      dispatcher.schedule(SWITCH_NANOS, next);
    }
  }
}
