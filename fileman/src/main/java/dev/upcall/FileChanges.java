package dev.upcall;

import dev.upcall.completion.CompletionPort;

/**
 * Everything that changes files and directories. Asked of a {@link FileManager}, each request is a
 * transaction of its own and durable at the completion; asked of a {@link FileTransaction}, it
 * becomes part of that, and the completion says that it fits and that what it changes is locked.
 * Called on the dispatcher's thread; completions never come inside the call.
 */
public interface FileChanges extends FileReads, AsyncChanges {
  /**
   * Begins to make or replace a whole file of any size. The options are checked now, to fail before
   * the bytes are sent, and again at the commit.
   */
  void put(CharSequence path, PutOptions options, CompletionPort<PutHandle> port);

  /**
   * Opens for reading and writing ranges. Failures: {@code IsADirectory}, {@code AlreadyExists}.
   * What the opening itself changes (a new file, truncation) is done at the completion, as by any
   * other request. A handle that was opened through a transaction ends with it: what was collected
   * becomes a part of the transaction with {@link FileHandle#flush}, {@link FileHandle#close} or
   * the commit.
   */
  void open(CharSequence path, OpenMode mode, CompletionPort<FileHandle> port);
}
