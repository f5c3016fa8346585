package dev.upcall.fileman;

import dev.upcall.fsm.CompletionPort;
import dev.upcall.fsm.Unit;
import java.util.List;

/**
 * Everything that changes files and directories. Asked of a {@link FileManager}, each request is a
 * transaction of its own and durable at the completion; asked of a {@link FileTransaction}, it
 * becomes part of that, and the completion says that it fits and that what it changes is locked.
 * Called on the dispatcher's thread; completions never come inside the call.
 */
public interface FileChanges extends FileReads {
  /**
   * Begins to make or replace a whole file of any size. The options are checked now, to fail before
   * the bytes are sent, and again at the commit.
   */
  void put(StorePath path, PutOptions options, CompletionPort<PutHandle> port);

  /**
   * Opens for reading and writing ranges. Failures: {@code IsADirectory}, {@code AlreadyExists}.
   * What the opening itself changes (a new file, truncation) is done at the completion, as by any
   * other request. A handle that was opened through a transaction ends with it: what was collected
   * becomes a part of the transaction with {@link FileHandle#flush}, {@link FileHandle#close} or
   * the commit.
   */
  void open(StorePath path, OpenMode mode, CompletionPort<FileHandle> port);

  /** All requests as one: all or nothing, later ones see what earlier ones did. */
  void batch(List<FileRequest> requests, CompletionPort<BatchResult> port);

  /** {@link FileRequest.CreateDirectory}. */
  void createDirectory(StorePath path, boolean parents, CompletionPort<FileInfo> port);

  /** {@link FileRequest.SymbolicLink}. */
  void symbolicLink(StorePath path, String target, CompletionPort<FileInfo> port);

  /** {@link FileRequest.Delete} of any version. */
  default void delete(StorePath path, CompletionPort<Unit> port) {
    delete(path, FileCondition.NONE, port);
  }

  /** {@link FileRequest.Delete}. */
  void delete(StorePath path, FileCondition condition, CompletionPort<Unit> port);

  /** {@link FileRequest.DeleteTree} of any version. */
  default void deleteTree(StorePath path, CompletionPort<Unit> port) {
    deleteTree(path, FileCondition.NONE, port);
  }

  /** {@link FileRequest.DeleteTree}. */
  void deleteTree(StorePath path, FileCondition condition, CompletionPort<Unit> port);

  /** {@link FileRequest.Rename} by whether what is there gives way. */
  default void rename(
      StorePath from, StorePath to, boolean replace, CompletionPort<FileInfo> port) {
    rename(from, to, replace ? FileCondition.NONE : FileCondition.ABSENT, port);
  }

  /** {@link FileRequest.Rename}. */
  void rename(StorePath from, StorePath to, FileCondition target, CompletionPort<FileInfo> port);

  /** {@link FileRequest.Clone}. */
  void cloneFile(StorePath from, StorePath to, FileCondition target, CompletionPort<FileInfo> port);

  /** {@link FileRequest.SetMetadata} of any version. */
  default void setMetadata(
      StorePath path, LinkPolicy links, MetadataChange change, CompletionPort<FileInfo> port) {
    setMetadata(new FileRequest.SetMetadata(path, links, change), port);
  }

  /** {@link FileRequest.SetMetadata}. */
  void setMetadata(FileRequest.SetMetadata request, CompletionPort<FileInfo> port);
}
