package dev.upcall.space;

/** On whose behalf space is taken: how deep it may reach. */
public enum Reserve {
  /** Everything that is refused when the volume is full: leaves the emergency pool alone. */
  NORMAL,
  /**
   * What makes a file smaller and may keep more blocks for that than it gives back, a few each
   * time: leaves half of the emergency pool, or more of a small one, to what gives back.
   */
  CUT,
  /**
   * What gives back at least as much as it keeps, once a checkpoint has ended, so that it may be
   * repeated for ever: deletes, and cuts that free more blocks than they take. May use up the
   * emergency pool.
   */
  EMERGENCY
}
