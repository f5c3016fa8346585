package dev.upcall.fsm.record;

/**
 * A point on the way of one request for content: the stages of the report's tables (<i>Storage
 * System Design using Finite State Machines</i>, where the time of an open goes) lie between them.
 *
 * <p><b>With I/O</b> (the content is on the disk): <i>requested</i> is when the buffer manager has
 * memory and asks the disk; <i>started</i> when the disk hands the request to the kernel (the ring,
 * with the submission of the turn) or to a system call (a pool's thread); <i>finished</i> when the
 * store's thread reaps the completion. Of several requests to the disk the first is requested and
 * started, the last is finished. Who waits for a load that somebody else began has it started when
 * it asked.
 *
 * <p><b>Without I/O</b> (all is in memory) the three fall together, at the moment at which that is
 * <i>found</i>. The report's requests found their file in the operating system's cache, but went
 * through a thread for I/O to find that out; here the store's own memory is looked at in place.
 *
 * <p>Pages of the trees are not stamped: waiting for them is part of the time until the content is
 * asked for.
 */
public enum Stage {
  /** The content is asked of the disk. */
  REQUESTED,
  /** The disk begins. */
  STARTED,
  /** The disk is done. */
  FINISHED,
  /**
   * All is in memory: the disk need not be asked, or somebody else's load that this waited for has
   * ended. Says nothing new after I/O of one's own.
   */
  FOUND,
  /** The store posts the completion. */
  POSTED;

  private static final Stage[] ALL = values();

  /** The number of its name in every {@link RecordNames}. */
  @SuppressWarnings("EnumOrdinal")
  public int nameIndex() {
    return RecordNames.FIRST_STAGE + ordinal();
  }

  /** The stage of that name. */
  static Stage ofName(int nameIndex) {
    return ALL[nameIndex - RecordNames.FIRST_STAGE];
  }
}
