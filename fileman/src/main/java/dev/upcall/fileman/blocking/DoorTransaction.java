package dev.upcall.fileman.blocking;

import dev.upcall.fileman.AsyncTransaction;
import dev.upcall.fileman.BatchResult;
import dev.upcall.fileman.FileRequest;
import dev.upcall.fileman.FileTransaction;
import dev.upcall.fsm.Completion;
import dev.upcall.fsm.CompletionPort;
import dev.upcall.fsm.Unit;
import dev.upcall.txn.Durability;
import java.util.List;

/** A transaction through a door. */
final class DoorTransaction extends DoorReads implements AsyncTransaction {
  private final FileTransaction transaction;
  private final AsyncDoor door;

  DoorTransaction(FileTransaction transaction, AsyncDoor door) {
    super(transaction, door);
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

  @Override
  public void batch(List<FileRequest> requests, CompletionPort<BatchResult> port) {
    door.request(inner -> transaction.batch(requests, inner), port);
  }

  @Override
  public void commit(Durability durability, CompletionPort<Long> port) {
    door.request(inner -> transaction.commit(durability, inner), port);
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
