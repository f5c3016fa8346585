package dev.upcall.fileman.blocking;

import dev.upcall.FileTransaction;
import dev.upcall.UpcallTransaction;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.store.Durability;
import java.util.Objects;
import java.util.Set;

/** A transaction for callers that wait. */
final class BlockingTransaction extends BlockingChanges implements UpcallTransaction {
  private final Calls calls;
  private final Dispatcher dispatcher;
  private final FileTransaction transaction;

  BlockingTransaction(
      Calls calls, Dispatcher dispatcher, FileTransaction transaction, Set<Runnable> openReads) {
    super(calls, transaction, dispatcher, openReads, /* published= */ null);
    this.calls = calls;
    this.dispatcher = dispatcher;
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
          dispatcher.complete(port, Completion.done());
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
