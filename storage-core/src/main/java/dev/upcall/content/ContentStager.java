package dev.upcall.content;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import java.nio.ByteBuffer;

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

  /** How many bytes were appended. */
  long sizeBytes();

  /** Ends the content: completes when all that must be on the volume before the commit is there. */
  void finish(CompletionPort<StagedContent> port);

  /**
   * Gives everything up; nothing stays behind. May be called at any time before {@link #finish}.
   */
  void discard();
}
