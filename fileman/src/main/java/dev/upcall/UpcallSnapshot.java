package dev.upcall;

import dev.upcall.store.SnapshotInfo;
import java.nio.file.FileSystem;

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
   * The files as of this moment as a file system of {@code java.nio.file}, read only. Close it
   * before this.
   */
  default FileSystem fileSystem() {
    return fileSystem("@" + scn());
  }

  /** As {@link #fileSystem()}, with a name by which the URIs of its paths say what they are in. */
  FileSystem fileSystem(String name);

  /**
   * Lets go of it; harmless when done before, also after the store was closed. Streams opened
   * through it stay readable until they are closed.
   */
  @Override
  void close();
}
