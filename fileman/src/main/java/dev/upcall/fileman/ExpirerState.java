package dev.upcall.fileman;

import dev.upcall.fsm.DescribedState;

/** Where the expirer stands. */
enum ExpirerState implements DescribedState {
  /** Knows of no file that will expire. */
  IDLE("knows of no file that will expire"),
  /** Sleeps until the next file expires. */
  WAITING("sleeps until the next file expires"),
  /** A commit that collects a few files is under way. */
  STEPPING("a commit of one step is under way"),
  /** Waits before it tries again, because the store was busy or full. */
  PAUSED("waits, because the store was busy or full"),
  /** Gave up until the next opening: the store takes no changes, or is damaged there. */
  STOPPED("gave up until the next opening"),
  /** The file manager is closed. */
  CLOSED("the file manager is closed");

  private final String description;

  ExpirerState(String description) {
    this.description = description;
  }

  @Override
  public String description() {
    return description;
  }
}
