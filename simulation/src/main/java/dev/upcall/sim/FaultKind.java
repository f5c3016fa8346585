package dev.upcall.sim;

/** What a simulated device can do wrong. */
public enum FaultKind {
  /** The machine died. */
  CRASH,
  /** A read failed. */
  READ_ERROR,
  /** A read failed at a block that goes on failing. */
  BAD_BLOCK,
  /** A write, an allocation, a punch or a cut failed; a write leaves a mix of old and new. */
  WRITE_ERROR,
  /** A sync failed. */
  SYNC_ERROR,
  /** The device had no room. */
  FULL,
  /** A bit decayed. */
  BIT_ROT,
  /** A write landed at another address. */
  MISDIRECTED,
  /** A write was acknowledged and never reached the medium. */
  LOST_WRITE,
  /** A request took a hundred times as long. */
  STRAGGLER,
  /** The volume's file was removed. */
  REMOVED,
  /** The volume's file was cut. */
  CUT
}
