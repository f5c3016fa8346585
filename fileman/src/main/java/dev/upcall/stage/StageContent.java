package dev.upcall.stage;

import dev.upcall.FileInfo;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/**
 * One version of a file, held until it is closed, whatever is written or deleted meanwhile. Any
 * number of reads at once.
 */
public interface StageContent {
  /** Metadata of the version. */
  FileInfo info();

  /**
   * Reads from a position into a buffer, at most 64 KiB at once; how many bytes it was, -1 at or
   * behind the end. The buffer is the store's until the stage completes.
   */
  CompletionStage<Integer> read(long offset, ByteBuffer into);

  /** All of it; as {@link StageReads#publish}, but it stays open. */
  Flow.Publisher<ByteBuffer> publish();

  /**
   * Gives the version back; harmless when done before. Reads that come later are {@code Closed}.
   */
  CompletionStage<Void> close();
}
