package dev.upcall.fileman;

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
