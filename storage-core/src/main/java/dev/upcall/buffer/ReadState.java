package dev.upcall.buffer;

/** Where a read stands. */
enum ReadState {
  /** It looks for what is in memory, and for memory for the rest; it holds nothing in between. */
  GATHERING,
  /** It waits for memory, and holds nothing. */
  PARKED,
  /** It holds its frames and waits for those that are being loaded. */
  LOADING,
  /** Its completion is on its way. */
  SETTLED
}
