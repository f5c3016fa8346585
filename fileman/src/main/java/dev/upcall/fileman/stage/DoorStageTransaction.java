package dev.upcall.fileman.stage;

import dev.upcall.FileTransaction;
import dev.upcall.fileman.reading.PublishedLooks;
import dev.upcall.stage.StageTransaction;
import dev.upcall.store.Durability;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

/** A transaction through the door of stages. */
final class DoorStageTransaction extends DoorStageChanges implements StageTransaction {
  private final Asker asker;
  private final FileTransaction transaction;

  DoorStageTransaction(Asker asker, FileTransaction transaction, PublishedLooks looks) {
    super(asker, transaction, looks.in(transaction));
    this.asker = asker;
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
  public CompletionStage<Long> commit(Durability durability) {
    Objects.requireNonNull(durability, "durability");
    return asker.ask(port -> transaction.commit(durability, port));
  }

  @Override
  public CompletionStage<Void> rollback() {
    return asker.run(transaction::rollback);
  }
}
