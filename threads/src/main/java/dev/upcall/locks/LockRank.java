package dev.upcall.locks;

/** All locks, in the order in which one thread may take them. */
public enum LockRank {
  /** One change at a time is planned and applied; nothing but that changes the state. */
  CHANGES,
  /** Trees, unplaced content, SCN: shared by those who look, exclusive for those who apply. */
  STATE,
  /** The free-space map. */
  SPACE,
  /** Which extent trees are open. */
  LAYOUTS,
  /** Memory for frames, and which of them goes next. */
  MEMORY,
  /** The log: what waits to be written, and who writes. */
  LOG
}
