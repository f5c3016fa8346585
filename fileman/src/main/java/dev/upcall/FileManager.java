package dev.upcall;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.config.Compression;
import dev.upcall.config.Dedup;
import dev.upcall.content.ContentStager;
import dev.upcall.content.LeaseOwner;
import dev.upcall.content.StagedContent;
import dev.upcall.fileman.machine.StoreFileManager;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.request.Change;
import dev.upcall.request.FileRequest;
import dev.upcall.store.Durability;
import dev.upcall.store.NamedSnapshot;
import dev.upcall.store.NamedSnapshotList;
import dev.upcall.store.StoreInfo;
import dev.upcall.txn.Store;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Files and directories with names, asynchronously. For programs that share the store's thread
 * (composition 1): every method is called on the dispatcher's thread, and completions come to the
 * ports on the same thread, never inside the call.
 *
 * <p>Failures that every method may have besides those it names: {@code NotFound}, {@code
 * NotADirectory} and {@code LinkLoop} (the way to the name), {@code Corrupt}, {@code Device},
 * {@code Busy}, {@code Closed}; changes also {@code VolumeFull}, {@code TooLarge} and {@code
 * ReadOnly}, and {@code LockTimeout} when a transaction keeps what they change locked too long. A
 * change is visible when it is applied and durable when it is acknowledged, unless asked for with
 * {@link Durability#ASYNC}.
 */
public interface FileManager extends FileChanges {
  /** The id of the root directory. */
  long ROOT_ID = 1;

  /**
   * Sets a file manager on an open store: makes the root directory when there is none and goes on
   * reclaiming what earlier deletions left. The store stays the caller's: close this, then the
   * store.
   */
  @SuppressWarnings("exports") // stores are opened by the modules of this project
  static void open(Store store, FileManagerConfig config, CompletionPort<FileManager> port) {
    Objects.requireNonNull(store, "store");
    Objects.requireNonNull(config, "config");
    Objects.requireNonNull(port, "port");
    StoreFileManager.open(store, config, port);
  }

  /** The dispatcher on whose thread everything happens. */
  Dispatcher dispatcher();

  /** The store below. */
  @SuppressWarnings("exports") // its words are for the modules of this project
  Store store();

  /**
   * Opens a file that is all in memory, with its content copied, so that nothing of the store is
   * held: {@code tryRead} gives it. Any thread but the dispatcher's; what it sees has every change
   * that anybody could have heard of. Null where that cannot be, for a larger file and for a
   * directory: then {@link #openRead} finds out, and {@link #wantCopies} should be called there.
   *
   * @param into where the content goes, from the first byte on; what is read of the file are these
   *     bytes, which the caller leaves alone meanwhile
   */
  @Nullable Completion<OpenFile> openCopy(CharSequence path, ByteBuffer into);

  /** Somebody got null of {@link #openCopy}. */
  void wantCopies();

  /**
   * A batch was committed, by an engine of threads beside this one: begins what it leaves to be
   * done in the background.
   */
  void committed(List<FileRequest> requests, BatchResult result);

  /**
   * Takes a snapshot: all of {@link FileReads} as of one moment, however long it is read. See
   * {@link dev.upcall.txn.Store#snapshot}. Close it before this; what is left open is closed with
   * this.
   */
  void snapshot(CompletionPort<FileSnapshot> port);

  /**
   * Makes a snapshot with a name, which stays until it is dropped, over openings and crashes. Names
   * are as those of files. See {@link dev.upcall.txn.NamedSnapshots#create}. Failures: {@code
   * AlreadyExists}, {@code Invalid}, {@code TooLarge} when there are as many as there may be.
   */
  void createSnapshot(String name, CompletionPort<NamedSnapshot> port);

  /** All snapshots with names, oldest first, and what they cost. */
  void snapshots(CompletionPort<NamedSnapshotList> port);

  /** Opens a snapshot with a name for reading, as {@link #snapshot(CompletionPort)} does. */
  void snapshot(String name, CompletionPort<FileSnapshot> port);

  /**
   * Drops a snapshot with a name. Those who have it open read on; what only it held comes back when
   * they have closed it. Failure: {@code NotFound}.
   */
  void dropSnapshot(String name, CompletionPort<Unit> port);

  /**
   * Begins content that a later {@link FileRequest.Put} names; finish it first, and discard what no
   * request takes. Ask {@link #refusesContent} before.
   */
  ContentStager stage(LeaseOwner owner);

  /**
   * As {@link #stage(LeaseOwner)}, compressed by a degree and not as the store's setting says; with
   * {@link Dedup#FILE} also compared with what files have already, of which it may become a clone.
   * No transaction takes what is compared.
   */
  ContentStager stage(LeaseOwner owner, Compression degree, Dedup dedup);

  /** Gives up staged content that no batch took. */
  default void discard(StagedContent content) {
    Objects.requireNonNull(content, "content").discard();
  }

  /** Why no new content may be begun now ({@code Busy}, {@code ReadOnly}, {@code Closed}). */
  Optional<Failure> refusesContent();

  /**
   * Commits many requests as one: all or nothing, later ones see what earlier ones did. A batch has
   * at most {@link FileManagerConfig#maxBatchRequests} requests and fits an eighth of the log, else
   * {@code TooLarge}. Content named by the batch is used up, whatever the outcome.
   */
  default void batch(
      List<FileRequest> requests, Durability durability, CompletionPort<BatchResult> port) {
    ask(new Change.Batch(requests, durability), port);
  }

  /**
   * The same with notes behind the requests, in the same commit.
   *
   * @param notes properties to set or remove, by what the requests leave; may be asked more than
   *     once, and the last answer counts; what it refuses fails the batch
   */
  void batch(
      List<FileRequest> requests,
      Function<BatchResult, Completion<List<FileRequest>>> notes,
      Durability durability,
      CompletionPort<BatchResult> port);

  /**
   * Begins a transaction: reads of this moment and changes that happen together when it is
   * committed. Failures: those of {@link Store#begin}. What is left open is rolled back with {@link
   * #close}.
   */
  void begin(CompletionPort<FileTransaction> port);

  /** {@link Store#flush}. */
  void flush(CompletionPort<Unit> port);

  /** Writes a checkpoint, so that the next opening has nothing to recover. */
  void checkpoint(CompletionPort<Unit> port);

  /** Numbers of the store as they are now. */
  StoreInfo info();

  /** Numbers of the file manager as they are now. */
  FileManagerInfo fileManagerInfo();

  /** All that the file manager counts, as it is now; some microseconds of copying. */
  FileManagerMetrics metrics();

  /**
   * Refuses new requests ({@code Closed}), ends those that wait for a place, lets those at work
   * finish and completes. Open handles must be closed before.
   */
  void close(CompletionPort<Unit> port);
}
