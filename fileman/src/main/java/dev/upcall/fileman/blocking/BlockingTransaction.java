package dev.upcall.fileman.blocking;

import dev.upcall.FileTransaction;
import dev.upcall.UpcallTransaction;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.fileman.reading.PublishedLooks;
import dev.upcall.store.Durability;
import java.util.Objects;

/** A transaction for callers that wait. */
final class BlockingTransaction extends BlockingChanges implements UpcallTransaction {
  private final Calls calls;
  private final FileTransaction transaction;

  BlockingTransaction(Calls calls, FileTransaction transaction, PublishedLooks looks) {
    super(calls, transaction, looks);
    this.calls = calls;
    this.transaction = transaction;
  }

  @Override
  public long id() {
    return transaction.id();
  }

  @Override
  public long scn() {
    return transaction.scn();
  }

  @Override
  public long commit(Durability durability) {
    Objects.requireNonNull(durability, "durability");
    return calls.<Long>call(port -> transaction.commit(durability, port));
  }

  @Override
  public void rollback() {
    calls.<Unit>call(
        port -> {
          transaction.rollback();
          calls.dispatcher().complete(port, Completion.done());
        });
  }

  @Override
  public void close() {
    // The store's closing has rolled it back.
    if (!calls.isClosing()) {
      rollback();
    }
  }
}
