package dev.upcall;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.store.SnapshotInfo;

/**
 * The files as of one moment, for a program on a thread of its own; see {@link FileSnapshot}.
 * Completions come where the {@link AsyncFiles} that it was opened through is polled.
 */
public interface AsyncSnapshot extends AsyncReads {
  /** The commit up to which everything is in it. */
  long scn();

  /** What it costs, as of now. */
  void info(CompletionPort<SnapshotInfo> port);

  /**
   * Lets go of it. Reads that were asked before end as if it were open, and hold it until then;
   * those that are asked later get {@code Closed}.
   */
  void close(CompletionPort<Unit> port);
}
