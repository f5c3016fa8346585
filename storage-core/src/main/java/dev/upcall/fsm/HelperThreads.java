package dev.upcall.fsm;

import dev.upcall.base.Clock;
import dev.upcall.base.SystemClock;
import dev.upcall.config.Limits;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Threads for what blocks. The first piece of work starts one, which stays until the end; more are
 * started when all are busy, and leave when they are idle for a while. If the operating system or
 * the JVM refuses one more, the work waits for those that there are: once the first has been had,
 * nothing that is asked of this fails for want of a thread.
 *
 * <p>Any thread. Callers hold a lock for some instructions, or as long as a thread takes to start.
 */
public final class HelperThreads {
  /** Longer than the pause between two looks at a volume, which any change brings about. */
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** How long those that there are have to do after one more was refused. */
  private static final long REFUSED_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final int most;
  private final Starter starter;
  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();
  private final Condition ended = lock.newCondition();
  private final ArrayDeque<Runnable> line = new ArrayDeque<>();
  private int threads;
  private int idle;
  private boolean ending;
  private boolean refused;
  private long refusedNanos;

  /** Starts threads. */
  @FunctionalInterface
  interface Starter {
    /**
     * Starts a thread.
     *
     * @throws OutOfMemoryError if there can be no more threads
     */
    void start(Runnable body);
  }

  /**
   * None are started before there is work.
   *
   * @param name of the threads
   * @param most how many there are at most
   */
  public HelperThreads(String name, int most) {
    this(
        (int) Limits.within("most", most, 1, Integer.MAX_VALUE),
        starter(Objects.requireNonNull(name, "name")),
        new SystemClock());
  }

  HelperThreads(int most, Starter starter, Clock clock) {
    this.most = most;
    this.starter = starter;
    this.clock = clock;
  }

  private static Starter starter(String name) {
    Thread.Builder.OfPlatform builder = Thread.ofPlatform().daemon().name(name + "-", 0);
    return builder::start;
  }

  /**
   * Has work done, on a thread that is idle if there is one. Work waits in the order of its coming.
   *
   * @param task throws nothing
   * @return whether it will be done: not behind the end, and not if there is no thread at all and
   *     none can be had
   */
  public boolean execute(Runnable task) {
    Objects.requireNonNull(task, "task");
    lock.lock();
    try {
      if (ending) {
        return false;
      }
      if (idle <= line.size() && threads < most && mayStart()) {
        refused = !started();
        refusedNanos = refused ? clock.monotonicNanos() : 0;
      }
      if (threads == 0) {
        return false;
      }
      line.addLast(task);
      work.signal();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** The same; the thread has that name meanwhile. */
  public boolean execute(String what, Runnable task) {
    Objects.requireNonNull(what, "what");
    Objects.requireNonNull(task, "task");
    return execute(
        () -> {
          Thread thread = Thread.currentThread();
          String name = thread.getName();
          thread.setName(name + ": " + what);
          try {
            task.run();
          } finally {
            thread.setName(name);
          }
        });
  }

  /** The JVM writes a line for each refusal, and each costs some system calls. */
  private boolean mayStart() {
    return threads == 0 || !refused || clock.monotonicNanos() - refusedNanos > REFUSED_NANOS;
  }

  private boolean started() {
    threads++;
    try {
      starter.start(this::run);
      return true;
    } catch (OutOfMemoryError noThread) {
      // The JVM's word for that, whether memory or the operating system's limit is at its end.
      threads--;
      return false;
    }
  }

  private void run() {
    for (Runnable next = next(); next != null; next = next()) {
      try {
        next.run();
      } catch (Throwable unexpected) {
        // Work that comes later needs this thread.
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, unexpected);
      }
    }
  }

  /** What this thread does next, or null: then it ends. */
  private @Nullable Runnable next() {
    lock.lock();
    idle++;
    try {
      long leftNanos = IDLE_NANOS;
      while (line.isEmpty() && !ending && (leftNanos > 0 || threads == 1)) {
        try {
          leftNanos = work.awaitNanos(IDLE_NANOS);
        } catch (InterruptedException nobodyMeansThis) {
          leftNanos = IDLE_NANOS;
        }
      }
      Runnable next = line.pollFirst();
      if (next == null) {
        threads--;
        ended.signalAll();
      }
      return next;
    } finally {
      idle--;
      lock.unlock();
    }
  }

  /** Work that waits for a thread. */
  public int waiting() {
    lock.lock();
    try {
      return line.size();
    } finally {
      lock.unlock();
    }
  }

  /** Takes no more work; what was taken is done, and the threads end. */
  public void end() {
    lock.lock();
    try {
      ending = true;
      work.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Takes no more work, drops what no thread has begun, and returns when no thread is left. */
  public void drop() {
    lock.lock();
    try {
      line.clear();
    } finally {
      lock.unlock();
    }
    awaitEnd();
  }

  /** As {@link #end}, and returns when no thread is left; an interrupt is kept for the caller. */
  public void awaitEnd() {
    lock.lock();
    try {
      ending = true;
      work.signalAll();
      while (threads > 0) {
        ended.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }
}
