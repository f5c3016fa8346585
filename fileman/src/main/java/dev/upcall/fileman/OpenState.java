package dev.upcall.fileman;

import dev.upcall.fsm.DescribedState;

/** Where an opening stands. */
enum OpenState implements DescribedState {
  /** Looks for the name. */
  LOOKING("looks for the name"),
  /** Makes an empty file. */
  CREATING("makes an empty file"),
  /** Opens the segment. */
  OPENING("opens the segment"),
  /** Commits that it is empty now. */
  EMPTYING("commits that it is empty now"),
  /** Opened or refused. */
  OVER("opened or refused");

  private final String description;

  OpenState(String description) {
    this.description = description;
  }

  @Override
  public String description() {
    return description;
  }
}
