package dev.upcall.buffer;

/** Where a load stands. */
enum LoadState {
  /** The disk is at work. */
  READING,
  /** The bytes have arrived; checksums are being compared, a slice at a time. */
  VERIFYING,
  /** All frames are valid or have been given up. */
  SETTLED
}
