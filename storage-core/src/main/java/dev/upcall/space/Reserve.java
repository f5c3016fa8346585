package dev.upcall.space;

/** On whose behalf space is taken: how deep it may reach. */
public enum Reserve {
  /** Everything that is refused when the volume is full: leaves the emergency pool alone. */
  NORMAL,
  /**
   * What makes a file smaller and has to write a little for it, no more than a checkpoint brings
   * back: leaves half of the emergency pool to deletes.
   */
  CUT,
  /** What must go on when the volume is full, such as a delete: may use up the emergency pool. */
  EMERGENCY
}
