package dev.upcall.io;

import dev.upcall.fsm.DescribedState;

/** The states of a disk's life. */
enum DiskState implements DescribedState {
  /** Requests are accepted. */
  OPEN("accepts requests"),
  /** Requests are refused; those accepted before are being served. */
  DRAINING("refuses requests, serves those accepted before"),
  /** Nothing is in flight; descriptors and lock are being released. */
  RELEASING("nothing in flight; a helper thread releases descriptors and lock"),
  /** Everything is released. */
  CLOSED("released");

  private final String description;

  DiskState(String description) {
    this.description = description;
  }

  @Override
  public String description() {
    return description;
  }
}
