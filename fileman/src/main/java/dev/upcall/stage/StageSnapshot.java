package dev.upcall.stage;

import dev.upcall.store.SnapshotInfo;
import java.util.concurrent.CompletionStage;

/** The files as of one moment; see {@link dev.upcall.UpcallSnapshot}. Must be closed. */
public interface StageSnapshot extends StageReads {
  /** The commit up to which everything is in it. */
  long scn();

  /** What it costs, as of now. */
  CompletionStage<SnapshotInfo> info();

  /** Lets go of it; harmless when done before. Files opened through it stay readable. */
  CompletionStage<Void> close();
}
