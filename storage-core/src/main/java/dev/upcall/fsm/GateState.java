package dev.upcall.fsm;

/** The states of a {@link Gate}. */
public enum GateState implements DescribedState {
  /** Work may enter. */
  OPEN("work may enter"),
  /** Nothing enters any more; waits until the last one inside has left. */
  CLOSING("refuses new work, waits for what is inside"),
  /** Nobody is inside, and nobody will be. */
  CLOSED("empty for good");

  private final String description;

  GateState(String description) {
    this.description = description;
  }

  @Override
  public String description() {
    return description;
  }
}
