package dev.upcall.buffer;

import dev.upcall.fsm.DescribedState;

/** Where a load stands. */
enum LoadState implements DescribedState {
  /** The disk is at work. */
  READING("the disk is at work"),
  /** The bytes have arrived; checksums are being compared, a slice at a time. */
  VERIFYING("checksums are being compared, a slice at a time"),
  /** All frames are valid or have been given up. */
  SETTLED("all frames are valid or have been given up");

  private final String description;

  LoadState(String description) {
    this.description = description;
  }

  @Override
  public String description() {
    return description;
  }
}
