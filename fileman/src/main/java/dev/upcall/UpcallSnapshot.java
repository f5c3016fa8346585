package dev.upcall;

import dev.upcall.store.SnapshotInfo;

/**
 * The files as of one moment, whatever is written, renamed or deleted meanwhile; see {@link
 * FileSnapshot}. Any number of threads may read in it at once.
 */
public interface UpcallSnapshot extends UpcallReads, AutoCloseable {
  /** The commit up to which everything is in it. */
  long scn();

  /** What it costs, as of now. */
  SnapshotInfo info();

  /**
   * Lets go of it; harmless when done before, also after the store was closed. Streams opened
   * through it stay readable until they are closed.
   */
  @Override
  void close();
}
