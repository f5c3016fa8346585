package dev.upcall.bench.peer;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets one thread commit what many have changed: a caller returns after a commit that began when it
 * had called. Whoever comes while a commit runs waits for the next one, which one of them makes.
 */
public final class GroupCommit {
  private final Runnable commit;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();
  private long begun;
  private long done;
  private boolean running;

  /** With what makes all that was changed before durable; one call at a time. */
  public GroupCommit(Runnable commit) {
    this.commit = commit;
  }

  /** Returns when what this thread changed before is committed. */
  public void await() {
    lock.lock();
    try {
      long needed = begun + 1;
      while (done < needed) {
        if (running) {
          ended.awaitUninterruptibly();
        } else {
          lead();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private void lead() {
    long round = ++begun;
    running = true;
    lock.unlock();
    boolean committed = false;
    try {
      commit.run();
      committed = true;
    } finally {
      lock.lock();
      running = false;
      if (committed) {
        done = round;
      }
      ended.signalAll();
    }
  }
}
