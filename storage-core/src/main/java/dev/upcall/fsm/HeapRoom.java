package dev.upcall.fsm;

import dev.upcall.base.Clock;

/**
 * Whether the JVM's heap has room for the small things that a dispatcher's thread makes all the
 * time. Requests that come while it has none are refused: nothing of them has begun by then, where
 * an allocation that fails in the midst of a change ends the thread.
 */
public interface HeapRoom {
  /** There is always room. */
  HeapRoom PLENTY =
      new HeapRoom() {
        @Override
        public boolean isThere() {
          return true;
        }

        @Override
        public boolean restore(Clock clock) {
          return true;
        }
      };

  /** Whether there was room lately. Any thread. */
  boolean isThere();

  /** Makes sure of it again where it was used up; whether that could be done. Owner's thread. */
  boolean restore(Clock clock);

  /**
   * Tries to restore it for so long; whether that could be done. Owner's thread, which waits; takes
   * no memory but the room itself.
   */
  default boolean awaitRestored(Clock clock, long nanos) {
    return restore(clock);
  }
}
