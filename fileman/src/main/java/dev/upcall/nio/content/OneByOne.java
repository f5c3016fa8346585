package dev.upcall.nio.content;

import dev.upcall.fsm.wakeup.VirtualThreads;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Does one thing after the other, in the order of coming, on a virtual thread that lives as long as
 * there is any. They may wait; none may throw. Any threads, none of which waits.
 */
public final class OneByOne implements Executor {
  private final Queue<Runnable> line = new ConcurrentLinkedQueue<>();

  /** How many there are, with the one that is done right now; who takes it from 0 begins. */
  private final AtomicInteger waiting = new AtomicInteger();

  @Override
  public void execute(Runnable task) {
    line.add(task);
    if (waiting.getAndIncrement() == 0
        && VirtualThreads.start("upcall-nio-line", this::run) == null) {
      // Somebody waits for what stands in line.
      run();
    }
  }

  private void run() {
    do {
      line.remove().run();
    } while (waiting.decrementAndGet() > 0);
  }

  /** Whether what is given to it next is done at once. */
  boolean isIdle() {
    return waiting.get() == 0;
  }
}
