package dev.upcall;

import dev.upcall.store.SnapshotInfo;

/**
 * The files as of one moment, whatever is written, renamed or deleted meanwhile: each look, each
 * page of a listing and each byte is as of the same commit. Reading in it waits for nobody, and
 * nobody waits for it. While one without a name is open, space that was freed since does not come
 * back ({@link SnapshotInfo}); it does not survive the store's closing. Dispatcher's thread only.
 */
public interface FileSnapshot extends FileReads, AutoCloseable {
  /** The commit up to which everything is in it. */
  long scn();

  /** What it costs, as of now. */
  SnapshotInfo info();

  /**
   * Lets go of it; harmless when done before. Files opened through it stay readable until they are
   * closed and hold it until then.
   */
  @Override
  void close();
}
