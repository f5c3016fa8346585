package dev.upcall.fsm;

import dev.upcall.base.Invariants;
import org.jspecify.annotations.Nullable;

/** Which thread owns a dispatcher, and the check of it that is always on. */
final class OwnerThread {
  private final String name;

  /**
   * Written by the owner only. Others read it only to compare it with themselves, and no thread can
   * see itself there by a race, so it needs no fence.
   */
  private @Nullable Thread owner;

  OwnerThread(String name) {
    this.name = name;
  }

  void adopt() {
    Thread caller = Thread.currentThread();
    if (owner == null) {
      owner = caller;
    } else if (owner != caller) {
      throw notTheOwner();
    }
  }

  boolean isCaller() {
    return Thread.currentThread() == owner;
  }

  /** Throws unless the caller is the owner. */
  void check() {
    if (Thread.currentThread() != owner) {
      throw notTheOwner();
    }
  }

  /** Throws if somebody else than the caller is the owner. */
  void checkNobodyElse() {
    Thread holder = owner;
    if (holder != Thread.currentThread() && holder != null) {
      throw notTheOwner();
    }
  }

  private Invariants.Violation notTheOwner() {
    return new Invariants.Violation(
        "%s touched from thread %s, owned by %s"
            .formatted(name, Thread.currentThread().getName(), owner));
  }
}
