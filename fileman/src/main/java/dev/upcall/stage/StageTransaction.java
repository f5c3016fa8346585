package dev.upcall.stage;

import dev.upcall.store.Durability;
import java.util.concurrent.CompletionStage;

/**
 * Changes and reads of any number of files that are one; see {@link dev.upcall.UpcallTransaction}
 * for what ends it. Must be committed or rolled back, after what was asked of it has completed.
 */
public interface StageTransaction extends StageChanges {
  /** Which transaction of this opening of the store, counted from 1. */
  long id();

  /** The commit up to which everything that others did is in what it reads. */
  long scn();

  /** Makes all changes visible as one, durable when it completes; gives their commit's number. */
  default CompletionStage<Long> commit() {
    return commit(Durability.SYNC);
  }

  /** As {@link #commit()}; with {@code ASYNC} it may complete before they are durable. */
  CompletionStage<Long> commit(Durability durability);

  /** Gives up all changes; harmless when it has ended. */
  CompletionStage<Void> rollback();
}
