package dev.upcall.sim.drive;

/**
 * What it takes to bring the heads to a block, and to let blocks pass under them. Knows positions
 * and no requests; times are in nanoseconds.
 */
public interface Mechanism {
  /** How long from now until a block begins to pass under the heads. */
  long accessNanos(long nowNanos, long block);

  /** How long blocks [from, to) take to pass, once the heads are there. */
  long passNanos(long from, long to);

  /** The heads stand in front of a block. */
  void moveTo(long block);

  /** In front of which block the heads stand. */
  long head();
}
