package dev.upcall.txn.state;

import dev.upcall.segment.Overlay;
import dev.upcall.space.Extent;
import dev.upcall.txn.log.CommitLog;
import dev.upcall.txn.log.LogConfig;
import dev.upcall.txn.log.LogListener;
import dev.upcall.txn.log.LogState;
import dev.upcall.txn.volume.VolumeLayout;

/**
 * An engine of threads that shares a store's state with the machines: it looks and changes on its
 * own threads, while they make checkpoints, give content its place, reclaim and find room. Called
 * on the dispatcher's thread, inside upcalls, which that engine runs while it lets nobody else at
 * the state.
 */
public interface SharedEngine {
  /**
   * Where the log goes on.
   *
   * @param state its place
   * @param config its limits
   * @param layout where it lies
   * @param volumeId the volume's id
   * @param incarnation a random number, new for every writer
   */
  record LogStart(
      LogState state, LogConfig config, VolumeLayout layout, long volumeId, long incarnation) {}

  /** The log, which both use. Called once. */
  CommitLog log(LogStart start, LogListener listener);

  /**
   * Unplaced content is about to become part of the state: gives it in memory that every thread may
   * read, with a pin of its own; the pin of what is given stays the caller's. May give back the
   * same part, with one more pin.
   */
  Overlay.Part adopt(Overlay.Part part);

  /** The newest SCN, at most {@code scn}, up to which nobody on that engine's side still reads. */
  long horizon(long scn);

  /** These blocks were freed: their content is not to be found any more. */
  void forget(Extent extent);
}
