package dev.upcall.fileman;

import dev.upcall.fsm.DescribedState;

/** Where a batch stands. */
enum BatchState implements DescribedState {
  /** Waits until other batches have let go of enough memory. */
  WAITING("waits for staging memory"),
  /** Brings the content given as bytes to the store. */
  STAGING("brings its bytes to the store"),
  /** Is planned, applied and logged. */
  COMMITTING("is planned, applied and logged"),
  /** Was acknowledged or refused; staged content that nobody took is freed. */
  OVER("acknowledged or refused");

  private final String description;

  BatchState(String description) {
    this.description = description;
  }

  @Override
  public String description() {
    return description;
  }
}
