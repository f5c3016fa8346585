package dev.upcall.access;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.segment.layout.Inode;
import dev.upcall.store.Durability;
import dev.upcall.txn.ReadSource;
import dev.upcall.txn.Store;
import java.util.function.Consumer;

/**
 * Each commit is a change of the store.
 *
 * @param durability when a commit is acknowledged
 */
record StoreHome(Store store, Durability durability) implements Home {
  @Override
  public ReadSource reading() {
    return store;
  }

  @Override
  public void takeTurn(long segment, Consumer<Runnable> turn) {
    access().writers().turns().take(segment, turn);
  }

  @Override
  public void change(Commit commit, CompletionPort<Inode> port) {
    store.changeSegment(
        commit,
        durability,
        completion -> {
          commit.ended();
          port.complete(completion);
        });
  }

  @Override
  public void flush(CompletionPort<Unit> port) {
    store.flush(port);
  }

  @Override
  public boolean takesPlaced(Failure refusal) {
    return false;
  }

  @Override
  public Failure changed(String name) {
    return new Failure.Conflict(name + " was changed by somebody else; open it again");
  }
}
