package dev.upcall;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.content.Loan;
import dev.upcall.store.Durability;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A whole file on its way into the store. Nobody sees anything of it before {@link #commit};
 * without commit nothing is left behind, also after a crash. Dispatcher's thread only; one request
 * at a time: an append during another one is {@code Busy} and nothing of it was done, a commit
 * during an append is {@code Busy} and ends the handle.
 */
public interface PutHandle {
  /**
   * Appends the buffer's remaining bytes, which are copied before the completion; completes when
   * more is welcome (back-pressure). Content of more than a block waits while too much other
   * content is on its way, in the order of coming. Failures: {@code VolumeFull}, {@code Device},
   * {@code ReadOnly}, {@code Closed}, {@code Busy} when it has waited too long, {@code Cancelled}
   * when it was abandoned meanwhile. After a failure only {@link #abandon} is left.
   */
  void append(ByteBuffer bytes, CompletionPort<Unit> port);

  /**
   * As {@link #append(ByteBuffer, CompletionPort)}, but a caller on another thread copies what is
   * large itself: it {@linkplain Loan#fill fills} the loan behind the completion and before its
   * next request, which is {@code Busy} else. The buffer's position is behind what was appended;
   * where bytes remain, the caller appends them by another call.
   *
   * @param loan of this handle alone
   */
  default void append(ByteBuffer bytes, Loan loan, CompletionPort<Unit> port) {
    Objects.requireNonNull(loan, "loan");
    append(bytes, port);
  }

  /** How many bytes were appended. */
  long sizeBytes();

  /**
   * Makes the file visible at once and durable at the completion. Failures as for {@code
   * FileRequest.Put} and {@link FileManager#batch}; after one nothing is left behind. Ends the
   * handle.
   */
  default void commit(CompletionPort<FileInfo> port) {
    commit(Durability.SYNC, port);
  }

  /** As {@link #commit(CompletionPort)}; with {@code ASYNC} it may be acknowledged earlier. */
  void commit(Durability durability, CompletionPort<FileInfo> port);

  /** Gives up; harmless after {@link #commit}. */
  void abandon();
}
