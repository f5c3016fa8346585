package dev.upcall.segment;

/** Where new content stands. */
public enum StagerState {
  /** It fits one frame; nothing was written. */
  COLLECTING,
  /** It is too large for that: full frames go to their places while more comes in. */
  PLACING,
  /** All bytes are here; the last of them are on their way. */
  FINISHING,
  /** A commit may take it. */
  FINISHED,
  /** Something failed; what was reserved is given back. */
  FAILED,
  /** The caller gave it up. */
  DISCARDED
}
