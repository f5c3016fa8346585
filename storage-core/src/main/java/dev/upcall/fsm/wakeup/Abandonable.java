package dev.upcall.fsm.wakeup;

import org.jspecify.annotations.Nullable;

/**
 * Something that waits for a dispatcher and is told when that has stopped without serving it. Runs
 * on the dispatcher's last thread; must not throw, but that there is no memory: then it is told
 * again.
 */
public interface Abandonable {
  void abandon();

  /** Tells something that was left behind, if it wants to know. */
  static void abandon(@Nullable Object left) {
    if (left instanceof Abandonable waiting) {
      DespiteFullHeap.abandon(waiting);
    }
  }
}
