package dev.upcall.io.schedule;

/** The states of {@code AnticipatoryPolicy}. */
public enum AnticipatoryState {
  /** What is next goes to the device. */
  DISPATCHING,
  /** What is next is not as good as what the asker of the read at the device may ask for then. */
  AWAITING_ANSWER,
  /** The device stands still for the next request of an asker who was answered. */
  ANTICIPATING
}
