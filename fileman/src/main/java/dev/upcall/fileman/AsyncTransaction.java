package dev.upcall.fileman;

import dev.upcall.fsm.CompletionPort;
import dev.upcall.fsm.Unit;
import dev.upcall.txn.Durability;
import java.util.List;

/**
 * A {@link FileTransaction} for a single-threaded program on a thread of its own; its completions
 * come where those of the {@link AsyncFiles} come that began it. It must be committed or rolled
 * back before those are closed, or it stays open until nobody has asked anything of it for a while.
 */
public interface AsyncTransaction extends AsyncReads {
  /** Which transaction of this opening of the store, counted from 1. */
  long id();

  /** The commit up to which everything that others did is in what it reads. */
  long scn();

  /** See {@link FileTransaction#batch}; small files ride in it as {@link FileContent.Bytes}. */
  void batch(List<FileRequest> requests, CompletionPort<BatchResult> port);

  /** See {@link FileTransaction#commit}. */
  void commit(Durability durability, CompletionPort<Long> port);

  /** See {@link FileTransaction#rollback}; completes when it is done. */
  void rollback(CompletionPort<Unit> port);
}
