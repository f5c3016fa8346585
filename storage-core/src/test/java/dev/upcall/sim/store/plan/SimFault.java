package dev.upcall.sim.store.plan;

/** What can go wrong in one life of a store. */
public enum SimFault {
  /** The machine dies at a step. */
  CRASH,
  /** One request fails. */
  ONE_ERROR,
  /** Reads fail now and then. */
  READ_ERRORS,
  /** Some blocks cannot be read any more, until they are written. */
  BAD_BLOCKS,
  /** Writes and syncs fail now and then. */
  WRITE_ERRORS,
  /** From some moment on the device cannot grow, for a while. */
  FULL_DEVICE,
  /** Requests take a hundred times as long now and then. */
  STRAGGLERS,
  /** The machine sleeps for a while, or somebody sets its wall clock. */
  CLOCK_JUMPS,
  /** The store is closed while clients work. */
  EARLY_CLOSE,
  /** The process is killed while clients work; what it has submitted lands a little later. */
  KILLED,
  /** The machine hangs while clients work, another one takes the volume, and then it goes on. */
  HANGS,
  /** Now and then a write lands at another address or nowhere, or a bit decays. */
  LIES,
  /** Somebody removes the volume's file, and gives it its name back before the next life. */
  REMOVED,
  /** Somebody cuts the volume's file. */
  CUT,
  /** The machine gives no thread for a helper: nobody may notice. */
  NO_THREADS,
  /**
   * The heap is full now and then: the store's thread waits. Where that is in vain, requests are
   * refused, and an upcall may find no memory, which ends the thread. Queries find none.
   */
  FULL_HEAP,
  /** Changes find no memory now and then, while they are planned or bring content. */
  NO_HEAP_FOR_CHANGES;

  /** Whether nothing certain is known of the volume behind it. */
  public boolean leavesNothingCertain() {
    return this == LIES || this == CUT;
  }

  /** Whether something happens to the store while clients work. */
  public boolean strikesEarly() {
    return this == EARLY_CLOSE || this == KILLED || this == HANGS;
  }

  /** Whether requests may fail for no fault of the store's. */
  public boolean makesErrors() {
    return switch (this) {
      case ONE_ERROR, READ_ERRORS, BAD_BLOCKS, WRITE_ERRORS, LIES, REMOVED, CUT, HANGS -> true;
      case CRASH,
          FULL_DEVICE,
          STRAGGLERS,
          CLOCK_JUMPS,
          EARLY_CLOSE,
          KILLED,
          NO_THREADS,
          FULL_HEAP,
          NO_HEAP_FOR_CHANGES ->
          false;
    };
  }
}
