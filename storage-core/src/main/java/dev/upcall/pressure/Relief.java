package dev.upcall.pressure;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;

/** The work that makes room. */
public interface Relief {
  /**
   * Gives what is unplaced now its place and completes; fails with what was left out or where it
   * could not go on.
   */
  void place(CompletionPort<Unit> port);

  /** Whether that is under way, for whomever. */
  boolean isPlacing();

  /** Makes a checkpoint of at least the present state. */
  void checkpoint(CompletionPort<Unit> port);

  /** Whether one is being made, for whomever. */
  boolean isCheckpointing();

  /** What this work has asked of the device, and rests there, rests no longer. */
  void lift();
}
