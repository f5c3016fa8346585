package dev.upcall.txn;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.store.NamedSnapshot;
import dev.upcall.store.NamedSnapshotList;

/**
 * The snapshots of a store that have names and stay until they are dropped, over openings and
 * crashes. A name has 1 to 255 bytes in UTF-8. Dispatcher's thread only; completions never arrive
 * inside the call.
 *
 * <p>What the volume held at the moment of a snapshot is neither handed out again nor given back to
 * the device as long as the snapshot exists.
 */
public interface NamedSnapshots {
  /**
   * Makes a snapshot of one moment between this call and the completion: everything applied before
   * the call is in it. Costs a checkpoint, and two copies of the free-space map's bits, 1/16384 of
   * the volume together; not what the files have. When it completes, the snapshot is durable; after
   * a crash before that it exists or does not. Failures: {@code AlreadyExists}, {@code Invalid} for
   * a name that none can have, {@code TooLarge} when there are as many as there may be, {@code
   * VolumeFull}, {@code Device}, {@code ReadOnly}, {@code Busy}, {@code Closed}.
   */
  void create(String name, CompletionPort<NamedSnapshot> port);

  /**
   * All that can be read, oldest first, and what they cost. Failures: {@code Busy}, {@code Closed}.
   */
  void list(CompletionPort<NamedSnapshotList> port);

  /**
   * Opens one for reading, any number of times; close what is opened. Failures: {@code NotFound},
   * {@code Corrupt} and {@code Device} for one that a store which only reads has found damaged,
   * {@code Busy}, {@code Closed}.
   */
  void open(String name, CompletionPort<Snapshot> port);

  /**
   * Drops one: durably gone when this completes. What only it held comes back in the background,
   * when the last of those who opened it has closed it; they read on until then. Works on a full
   * volume. Failures: {@code NotFound}, {@code Device}, {@code ReadOnly}, {@code Busy}, {@code
   * Closed}.
   */
  void drop(String name, CompletionPort<Unit> port);
}
