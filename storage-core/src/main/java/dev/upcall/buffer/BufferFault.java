package dev.upcall.buffer;

/**
 * Deliberate faults, given only by tests (what takes them is not public), to prove that the tests
 * would notice.
 */
enum BufferFault {
  /** Content that was read is believed without looking at its checksum. */
  CHECKSUM_NOT_CHECKED
}
