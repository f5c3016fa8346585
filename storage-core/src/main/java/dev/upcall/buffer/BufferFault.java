package dev.upcall.buffer;

/** Ways in which a buffer manager is broken on purpose: tests must notice each of them. */
public enum BufferFault {
  /** Content that was read is believed without looking at its checksum. */
  CHECKSUM_NOT_CHECKED,
  /** Decoded blocks stay in memory when the extent is freed in which their unit was stored. */
  DECODED_NOT_FORGOTTEN,
  /** Frames that another thread is filling are given to somebody else. */
  LENT_FRAMES_RELEASED
}
