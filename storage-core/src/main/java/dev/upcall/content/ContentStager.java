package dev.upcall.content;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Collects new content of unknown length, in bounded memory, before the commit that makes it a
 * segment's. Small content stays in memory (it will ride in the log), larger content is placed at
 * once. Dispatcher's thread only; one request at a time: a second one is {@code Busy} and nothing
 * of it was done. What was finished or discarded is {@code Closed}.
 */
public interface ContentStager {
  /**
   * Appends the buffer's remaining bytes, which are copied before the completion; completes when
   * the next append is welcome (back-pressure). Failures: {@code VolumeFull}, {@code Device},
   * {@code ReadOnly}, {@code Closed}.
   */
  void append(ByteBuffer bytes, CompletionPort<Unit> port);

  /**
   * As {@link #append(ByteBuffer, CompletionPort)}, but the caller copies what is large itself: it
   * {@linkplain Loan#fill fills} the loan behind the completion and before its next request, which
   * is {@code Busy} else. The buffer's position is behind what was appended; where bytes remain,
   * the caller appends them by another call.
   *
   * @param loan of this content alone
   */
  default void append(ByteBuffer bytes, Loan loan, CompletionPort<Unit> port) {
    Objects.requireNonNull(loan, "loan");
    append(bytes, port);
  }

  /** How many bytes were appended. */
  long sizeBytes();

  /** Ends the content: completes when all that must be on the volume before the commit is there. */
  void finish(CompletionPort<StagedContent> port);

  /**
   * Gives everything up; nothing stays behind. May be called at any time before {@link #finish}.
   */
  void discard();
}
