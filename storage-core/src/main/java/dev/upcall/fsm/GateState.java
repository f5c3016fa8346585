package dev.upcall.fsm;

/** The states of a {@link Gate}. */
public enum GateState {
  /** Work may enter. */
  OPEN,
  /** Nothing enters any more; waits until the last one inside has left. */
  CLOSING,
  /** Nobody is inside, and nobody will be. */
  CLOSED
}
