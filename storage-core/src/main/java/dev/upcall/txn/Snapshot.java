package dev.upcall.txn;

import dev.upcall.store.SnapshotInfo;

/**
 * The committed state of one moment, held: whatever is changed meanwhile, everything that is read
 * through it is as of one SCN, from the first byte to the last, however long it takes. It waits for
 * nobody and nobody waits for it. Lives in memory only, until {@link #close} or the store's end.
 *
 * <p>As long as it is open, nothing that was freed since comes back: neither what it sees nor,
 * since space is kept by SCN and not by extent, anything else ({@link SnapshotInfo#heldBytes}).
 * Content that was unplaced is copied to the heap when the store gives it a place or replaces it
 * ({@link SnapshotInfo#copiedBytes}).
 *
 * <p>Dispatcher's thread only; completions never arrive inside the call.
 */
public interface Snapshot extends ReadSource, AutoCloseable {
  /** The SCN of the last change in it. */
  long scn();

  /** What it costs, as of now. */
  SnapshotInfo info();

  /**
   * Lets go of it; harmless when done before. What was pinned through it and requests that are on
   * their way stay as they are and hold it until they end; later ones get {@code Closed}.
   */
  @Override
  void close();
}
