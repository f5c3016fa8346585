package dev.upcall.access;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.segment.layout.Inode;
import dev.upcall.txn.ReadSource;
import dev.upcall.txn.Store;
import dev.upcall.txn.Transaction;
import dev.upcall.txn.TransactionStep;
import java.util.List;
import java.util.function.Consumer;

/** Each commit is a step of a transaction. */
record TransactionHome(Store store, Transaction transaction) implements Home {
  @Override
  public ReadSource reading() {
    return transaction;
  }

  /** A transaction does one step after the other; others wait for its locks, not for a turn. */
  @Override
  public void takeTurn(long segment, Consumer<Runnable> turn) {
    turn.accept(() -> {});
  }

  @Override
  public void change(Commit commit, CompletionPort<Inode> port) {
    transaction.change(
        new TransactionStep<>(commit.purpose(), commit, List.of(commit)),
        completion -> {
          if (completion instanceof Completion.Done<Inode>) {
            commit.handOver();
          } else {
            commit.ended();
          }
          port.complete(completion);
        });
  }

  @Override
  public void flush(CompletionPort<Unit> port) {
    store.dispatcher().complete(port, Completion.done());
  }

  /** The record of all its steps is too long, or they hold too much memory. */
  @Override
  public boolean takesPlaced(Failure refusal) {
    return refusal instanceof Failure.TooLarge || refusal instanceof Failure.Busy;
  }

  @Override
  public Failure changed(String name) {
    return new Failure.Invalid(
        name + " was changed by another request of the same transaction; open it again");
  }
}
