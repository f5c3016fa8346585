package dev.upcall.fsm.wakeup;

import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Who must be told, on whatever thread, that a dispatcher has ended: those who wait for it. Hooks
 * are registered by any thread; each runs once, in the order of registration, when the dispatcher
 * ends, or at once if it already has; one that finds no memory runs again.
 */
public final class Terminations {
  private final ConcurrentSkipListMap<Long, Runnable> hooks = new ConcurrentSkipListMap<>();
  private final AtomicLong nextId = new AtomicLong();
  private final Runnable runHooks = this::runHooks;
  private volatile boolean ended;

  /** Registers a hook and returns the id that {@link #remove} wants. Any thread. */
  public long add(Runnable hook) {
    long id = nextId.getAndIncrement();
    hooks.put(id, hook);
    if (ended) {
      runHook(id);
    }
    return id;
  }

  /** Takes a hook back. Any thread. */
  public void remove(long id) {
    hooks.remove(id);
  }

  public boolean ended() {
    return ended;
  }

  /** Marks the end and runs all hooks. A hook registered meanwhile runs here or in its adder. */
  public void end() {
    ended = true;
    DespiteFullHeap.run(runHooks);
  }

  private void runHooks() {
    for (Long id : hooks.keySet()) {
      runHook(id);
    }
  }

  private void runHook(long id) {
    Runnable hook = hooks.remove(id);
    if (hook != null) {
      DespiteFullHeap.run(hook);
    }
  }
}
