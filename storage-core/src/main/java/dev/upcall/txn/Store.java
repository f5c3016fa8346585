package dev.upcall.txn;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.config.Compression;
import dev.upcall.content.ContentStager;
import dev.upcall.content.LeaseOwner;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.segment.Stager;
import dev.upcall.segment.StagerParts;
import dev.upcall.store.Durability;
import dev.upcall.store.SnapshotInfo;
import dev.upcall.store.StoreInfo;
import dev.upcall.store.VerifyOptions;
import dev.upcall.store.VerifyProgress;
import dev.upcall.store.VerifyReport;
import dev.upcall.txn.metrics.StoreMetrics;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An open store: everything of storage-core behind one door. Requests are made on the dispatcher's
 * thread; completions come to the ports on the same thread, never inside the call.
 */
public interface Store extends ReadSource {
  /** The dispatcher that owns this store. */
  Dispatcher dispatcher();

  /**
   * Plans, applies and logs a change. Failures: the plan's own, and {@code VolumeFull}, {@code
   * TooLarge}, {@code ReadOnly}, {@code Corrupt}, {@code Device}, {@code Busy}, {@code Closed}.
   */
  <T> void change(Change<T> change, Durability durability, CompletionPort<T> port);

  /** As {@link #change}, for the access methods of storage-core, which also work on content. */
  <T> void changeSegment(SegmentChange<T> change, Durability durability, CompletionPort<T> port);

  /**
   * Tells an observer of every change that is applied from now on, users' and the store's own, by
   * whichever door they came. While there is one, a change costs another look at each entry that it
   * changes.
   */
  void observe(ChangeObserver observer);

  /** Tells an observer nothing more. */
  void forget(ChangeObserver observer);

  /**
   * Takes a snapshot of what is applied at this call or a little later, at a cost that does not
   * depend on the size of the store. It waits, as long as a request waits for a lock, while all
   * snapshots together might have to copy more unplaced content than half of the frame memory;
   * placing content and closing others makes room. Failures: {@code Busy} when that did not, {@code
   * Closed}.
   */
  void snapshot(CompletionPort<Snapshot> port);

  /**
   * Begins a transaction on what a {@link #snapshot} shows. Failures: {@code Busy} when too many
   * are open, and those of a snapshot. It must be committed or rolled back; what is left open is
   * rolled back by {@link #close}.
   */
  void begin(CompletionPort<Transaction> port);

  /** Looks at the present state, for other threads. */
  @Override
  PublishedReads published();

  /** The snapshots that have names and stay until they are dropped. */
  NamedSnapshots namedSnapshots();

  /** The keys that open the volume. */
  VolumeKeys keys();

  /** What the open snapshots without a name cost, oldest first. */
  List<SnapshotInfo> snapshots();

  /**
   * Begins new content. Ask {@link #refusesContent} before; all that is begun must be finished or
   * discarded. It holds nothing before its first append, which waits while too much other content
   * holds memory, in the order in which they came; {@code Busy} when that takes too long ({@link
   * StoreConfig#places}). Who holds some and waits to hold more may be waiting for himself.
   *
   * @param compression of what does not ride in the log; without a codec it is stored as it is
   */
  Stager stage(LeaseOwner owner, Compression compression);

  /** As {@link #stage(LeaseOwner, Compression)}, of content of which nobody says it. */
  default Stager stage(LeaseOwner owner) {
    return stage(owner, staging().config().compression());
  }

  /** The way in for new content. */
  StagerParts staging();

  /**
   * As {@link #stage} without that wait: for who bounds by himself how much all his content holds.
   */
  ContentStager stageGranted(LeaseOwner owner, Compression compression);

  /**
   * Why no new content may be begun now ({@code Busy}, {@code ReadOnly}, {@code Closed}), or null.
   */
  @Nullable Failure refusesContent();

  /** What access methods need besides. */
  SegmentAccess access();

  /**
   * Completes when everything acknowledged or seen before is durable, whatever {@link Durability}
   * it had. Failures: {@code Device} and {@code ReadOnly}; then nobody can say how much of it is.
   */
  void flush(CompletionPort<Unit> port);

  /** Writes a checkpoint and completes when it is durable; {@code Closed} once it is closing. */
  void checkpoint(CompletionPort<Unit> port);

  /**
   * Verifies the whole store as of a checkpoint that it takes, while requests go on. Problems stand
   * in the report. Failures, when there is none: {@code Cancelled}, {@code Corrupt} and {@code
   * Device} when the free-space map cannot be read, {@code TooLarge} beyond 8 TiB, {@code Conflict}
   * when checkpoints follow each other too fast, {@code Busy}, {@code Closed}.
   */
  void verify(VerifyOptions options, VerifyProgress progress, CompletionPort<VerifyReport> port);

  /** Numbers of the store as they are now. */
  StoreInfo info();

  /** All that the store counts, as it is now, copied in one upcall. */
  StoreMetrics metrics();

  /**
   * Whoever waits to hold new content, or for the place of a handle with writes to commit, gets
   * {@code Closed}, now and from now on; all else goes on. For who is about to close.
   */
  void stopWaiting();

  /** Refuses new work, drains, writes a checkpoint, closes the disk, completes. */
  void close(CompletionPort<Unit> port);
}
