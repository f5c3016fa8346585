package dev.upcall.fileman.async;

import dev.upcall.AsyncTransaction;
import dev.upcall.FileTransaction;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.fileman.reading.PublishedLooks;
import dev.upcall.store.Durability;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.function.Consumer;

/** A transaction through a door. */
final class DoorTransaction extends DoorContents implements AsyncTransaction {
  private final FileTransaction transaction;
  private final AsyncDoor door;

  /** Changes that wait for the one before them; the dispatcher's. */
  private final ArrayDeque<Runnable> changes = new ArrayDeque<>();

  DoorTransaction(FileTransaction transaction, AsyncDoor door, PublishedLooks looks) {
    super(transaction, door, looks.in(transaction));
    this.transaction = transaction;
    this.door = door;
  }

  @Override
  public long id() {
    return transaction.id();
  }

  @Override
  public long scn() {
    return transaction.scn();
  }

  /**
   * A range takes several requests, and what is asked later must find all that was asked before.
   */
  @Override
  public <T> void request(Consumer<CompletionPort<T>> request, CompletionPort<T> port) {
    Objects.requireNonNull(port, "port");
    door.<T>request(
        inner -> {
          changes.addLast(
              () ->
                  request.accept(
                      completion -> {
                        inner.complete(completion);
                        next();
                      }));
          if (changes.size() == 1) {
            changes.getFirst().run();
          }
        },
        port);
  }

  private void next() {
    changes.removeFirst();
    Runnable first = changes.peekFirst();
    if (first != null) {
      first.run();
    }
  }

  @Override
  public void commit(Durability durability, CompletionPort<Long> port) {
    Objects.requireNonNull(durability, "durability");
    request(inner -> transaction.commit(durability, inner), port);
  }

  @Override
  public void rollback(CompletionPort<Unit> port) {
    door.request(this::rollBack, port);
  }

  /** Dispatcher's thread. */
  private void rollBack(CompletionPort<Unit> port) {
    transaction.rollback();
    port.complete(Completion.done());
  }
}
