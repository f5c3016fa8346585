package dev.upcall.fileman.machine;

/** Where an opening stands. */
enum OpenState {
  /** Looks for the name. */
  LOOKING,
  /** Makes an empty file. */
  CREATING,
  /** Opens the segment. */
  OPENING,
  /** Commits that it is empty now. */
  EMPTYING,
  /** Opened or refused. */
  OVER
}
