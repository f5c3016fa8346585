package dev.upcall.fileman;

import dev.upcall.fsm.DescribedState;

/** Where a put stands. */
enum PutState implements DescribedState {
  /** Takes bytes. */
  COLLECTING("takes bytes"),
  /** Brings the rest to the volume. */
  FINISHING("brings the rest to the volume"),
  /** The namespace is being changed. */
  COMMITTING("the namespace is being changed"),
  /** Committed, refused or given up. */
  OVER("committed, refused or given up");

  private final String description;

  PutState(String description) {
    this.description = description;
  }

  @Override
  public String description() {
    return description;
  }
}
