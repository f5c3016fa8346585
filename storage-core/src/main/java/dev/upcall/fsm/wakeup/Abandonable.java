package dev.upcall.fsm.wakeup;

/**
 * Something that waits for a dispatcher and is told when that has stopped without serving it. Runs
 * on the dispatcher's last thread; must not throw.
 */
public interface Abandonable {
  void abandon();
}
