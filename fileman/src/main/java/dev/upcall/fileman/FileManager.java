package dev.upcall.fileman;

import dev.upcall.buffer.LeaseOwner;
import dev.upcall.fsm.CompletionPort;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.Unit;
import dev.upcall.segment.ContentStager;
import dev.upcall.txn.Durability;
import dev.upcall.txn.Store;
import java.util.List;

/**
 * Files and directories with names, asynchronously. For programs that share the store's thread
 * (composition 1): every method is called on the dispatcher's thread, and completions come to the
 * ports on the same thread, never inside the call.
 *
 * <p>Failures that every method may have besides those it names: {@code NotFound}, {@code
 * NotADirectory} and {@code LinkLoop} (the way to the name), {@code Corrupt}, {@code Device},
 * {@code Busy}, {@code Closed}; changes also {@code VolumeFull}, {@code TooLarge} and {@code
 * ReadOnly}. A change is visible when it is applied and durable when it is acknowledged, unless
 * asked for with {@link Durability#ASYNC}.
 */
public interface FileManager extends FileReads {
  /** The id of the root directory. */
  long ROOT_ID = 1;

  /**
   * Sets a file manager on an open store: makes the root directory when there is none and goes on
   * reclaiming what earlier deletions left. The store stays the caller's: close this, then the
   * store.
   */
  static void open(Store store, FileManagerConfig config, CompletionPort<FileManager> port) {
    StoreFileManager.open(store, config, port);
  }

  /** The dispatcher on whose thread everything happens. */
  Dispatcher dispatcher();

  /** The store below. */
  Store store();

  /**
   * Takes a snapshot: all of {@link FileReads} as of one moment, however long it is read. See
   * {@link dev.upcall.txn.Store#snapshot}. Close it before this; what is left open is closed with
   * this.
   */
  void snapshot(CompletionPort<FileSnapshot> port);

  /**
   * Opens for reading and writing. Failures: {@code IsADirectory}, {@code AlreadyExists}. What the
   * opening itself changes (a new file, truncation) is durable at the completion.
   */
  void open(StorePath path, OpenMode mode, CompletionPort<FileHandle> port);

  /**
   * Begins to make or replace a whole file of any size. The options are checked now, to fail before
   * the bytes are sent, and again at the commit.
   */
  void put(StorePath path, PutOptions options, CompletionPort<PutHandle> port);

  /**
   * Begins content that a later {@link FileRequest.Put} names; finish it first, and discard what no
   * request takes. Ask {@link Store#refusesContent} before.
   */
  ContentStager stage(LeaseOwner owner);

  /**
   * Commits many requests as one: all or nothing, later ones see what earlier ones did. A batch has
   * at most {@link FileManagerConfig#maxBatchRequests} requests and fits an eighth of the log, else
   * {@code TooLarge}. Content named by the batch is used up, whatever the outcome.
   */
  void batch(List<FileRequest> requests, Durability durability, CompletionPort<BatchResult> port);

  /** {@link FileRequest.CreateDirectory}, durable. */
  void createDirectory(StorePath path, boolean parents, CompletionPort<FileInfo> port);

  /** {@link FileRequest.SymbolicLink}, durable. */
  void symbolicLink(StorePath path, String target, CompletionPort<FileInfo> port);

  /** {@link FileRequest.Delete} of any version, durable. */
  default void delete(StorePath path, CompletionPort<Unit> port) {
    delete(path, FileCondition.NONE, port);
  }

  /** {@link FileRequest.Delete}, durable. */
  void delete(StorePath path, FileCondition condition, CompletionPort<Unit> port);

  /** {@link FileRequest.DeleteTree} of any version, durable. */
  default void deleteTree(StorePath path, CompletionPort<Unit> port) {
    deleteTree(path, FileCondition.NONE, port);
  }

  /** {@link FileRequest.DeleteTree}, durable. */
  void deleteTree(StorePath path, FileCondition condition, CompletionPort<Unit> port);

  /** {@link FileRequest.Rename} by whether what is there gives way, durable. */
  default void rename(
      StorePath from, StorePath to, boolean replace, CompletionPort<FileInfo> port) {
    rename(from, to, replace ? FileCondition.NONE : FileCondition.ABSENT, port);
  }

  /** {@link FileRequest.Rename}, durable. */
  void rename(StorePath from, StorePath to, FileCondition target, CompletionPort<FileInfo> port);

  /** {@link FileRequest.SetMetadata} of any version, durable. */
  default void setMetadata(
      StorePath path, LinkPolicy links, MetadataChange change, CompletionPort<FileInfo> port) {
    setMetadata(new FileRequest.SetMetadata(path, links, change), port);
  }

  /** {@link FileRequest.SetMetadata}, durable. */
  void setMetadata(FileRequest.SetMetadata request, CompletionPort<FileInfo> port);

  /** {@link Store#flush}. */
  void flush(CompletionPort<Unit> port);

  /** Numbers of the file manager as they are now. */
  FileManagerInfo info();

  /** All that the file manager counts, as it is now; some microseconds of copying. */
  FileManagerMetrics metrics();

  /**
   * Refuses new requests ({@code Closed}), lets those at work finish and completes. Open handles
   * must be closed before.
   */
  void close(CompletionPort<Unit> port);
}
