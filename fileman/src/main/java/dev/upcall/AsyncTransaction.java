package dev.upcall;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.store.Durability;
import java.util.Objects;

/**
 * A {@link FileTransaction} for a single-threaded program on a thread of its own; its completions
 * come where those of the {@link AsyncFiles} come that began it. It must be committed or rolled
 * back before those are closed, or it stays open until nobody has asked anything of it for a while.
 * Changes and the commit are done one after the other, in the order in which they are asked, those
 * of handles and of puts among them.
 */
public interface AsyncTransaction extends AsyncChanges.Contents {
  /** Which transaction of this opening of the store, counted from 1. */
  long id();

  /** The commit up to which everything that others did is in what it reads. */
  long scn();

  /**
   * An edit in the middle of a file.
   *
   * @param offset where
   * @param removed how many bytes go
   * @param bytes what comes in their place; must not be changed before the completion
   */
  record Splice(long offset, long removed, byte[] bytes) {
    /** Names what is missing. */
    public Splice {
      Objects.requireNonNull(bytes, "bytes");
    }
  }

  /** See {@link FileTransaction#commit}. */
  void commit(Durability durability, CompletionPort<Long> port);

  /** See {@link FileTransaction#rollback}; completes when it is done. */
  void rollback(CompletionPort<Unit> port);
}
