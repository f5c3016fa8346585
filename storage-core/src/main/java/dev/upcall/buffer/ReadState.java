package dev.upcall.buffer;

import dev.upcall.fsm.DescribedState;

/** Where a read stands. */
enum ReadState implements DescribedState {
  /** It looks for what is in memory, and for memory for the rest; it holds nothing in between. */
  GATHERING("looks for content in memory, and for memory"),
  /** It waits for memory, and holds nothing. */
  PARKED("waits for memory, holds nothing"),
  /** It holds its frames and waits for those that are being loaded. */
  LOADING("holds its frames, waits for loads"),
  /** Its completion is on its way. */
  SETTLED("its completion is on its way");

  private final String description;

  ReadState(String description) {
    this.description = description;
  }

  @Override
  public String description() {
    return description;
  }
}
