package dev.upcall.fileman;

import dev.upcall.fsm.DescribedState;

/** Where the reclaimer stands. */
enum ReclaimerState implements DescribedState {
  /** Knows of no detached directory. */
  IDLE("knows of no detached directory"),
  /** A commit that takes a few entries apart is under way. */
  STEPPING("a commit of one step is under way"),
  /** Waits before it tries again, because the store was busy or full. */
  PAUSED("waits, because the store was busy or full"),
  /** Gave up until the next opening: the store takes no changes, or is damaged there. */
  STOPPED("gave up until the next opening"),
  /** The file manager is closed. */
  CLOSED("the file manager is closed");

  private final String description;

  ReclaimerState(String description) {
    this.description = description;
  }

  @Override
  public String description() {
    return description;
  }
}
