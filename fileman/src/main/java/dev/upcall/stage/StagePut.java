package dev.upcall.stage;

import dev.upcall.FileInfo;
import dev.upcall.store.Durability;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;

/**
 * A whole file on its way into the store, or into a transaction. Nobody sees anything of it before
 * {@link #commit}; without commit nothing is left behind. One request at a time: an append before
 * the last one has completed is {@code Busy}, and nothing of it was done; a commit then is {@code
 * Busy} and ends it.
 */
public interface StagePut {
  /**
   * Appends a buffer's remaining bytes; completes when more is welcome. The buffer is the store's
   * until then. After a failure only {@link #abandon} is left.
   */
  CompletionStage<Void> append(ByteBuffer bytes);

  /** Makes the file visible and durable; in a transaction, makes it a part of that. */
  default CompletionStage<FileInfo> commit() {
    return commit(Durability.SYNC);
  }

  /** As {@link #commit()}; with {@code ASYNC} it may complete before the file is durable. */
  CompletionStage<FileInfo> commit(Durability durability);

  /** Gives up; harmless after {@link #commit}. */
  CompletionStage<Void> abandon();
}
