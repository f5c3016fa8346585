package dev.upcall;

/**
 * Who serves the calls of a store. All engines have the same volumes, one after the other, and give
 * the same results. All but {@link #FSM} are in the artifact {@code dev.upcall:threads}: where a
 * program lacks it, opening a store with them is refused.
 */
public enum Engine {
  /** State machines on one thread; the calls of other threads are requests on its queue. */
  FSM,
  /**
   * The thread that calls does the work itself, under locks, and waits for its own I/O: for
   * platform threads. What only {@link #FSM} can is {@link FsmUpcall}'s.
   */
  THREADS,
  /** As {@link #THREADS}, called from virtual threads. */
  VIRTUAL
}
