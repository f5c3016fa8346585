package dev.upcall.txn.engine;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.store.VerifyReport;
import dev.upcall.txn.state.SnapshotRecord;
import dev.upcall.txn.verify.StoreCheck;
import dev.upcall.txn.volume.Superblock;
import org.jspecify.annotations.Nullable;

/** An open store as a verification sees it. */
final class EngineCheck implements StoreCheck.Source {
  private final StoreEngine engine;
  private final StoreMachines machines;

  EngineCheck(StoreEngine engine, StoreMachines machines) {
    this.engine = engine;
    this.machines = machines;
  }

  @Override
  public void checkpoint(CompletionPort<Unit> port) {
    engine.checkpoint(port);
  }

  @Override
  public Superblock durable() {
    return machines.checkpoint().durable();
  }

  @Override
  public boolean isThere(String snapshot, SnapshotRecord record) {
    return machines.namedSnapshots().has(snapshot, record);
  }

  @Override
  public @Nullable Failure closing() {
    return machines.entrance().isClosing() ? new Failure.Closed("the store") : null;
  }

  @Override
  public void counted(VerifyReport report) {
    if (report.isSound()) {
      engine.context().meters().counted(report);
    }
  }
}
