package dev.upcall.fileman.blocking;

import dev.upcall.FileSnapshot;
import dev.upcall.UpcallSnapshot;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.store.SnapshotInfo;
import java.util.Set;

/** A snapshot for callers that wait. */
final class BlockingSnapshot extends BlockingReads implements UpcallSnapshot {
  private final Calls calls;
  private final Dispatcher dispatcher;
  private final FileSnapshot snapshot;

  BlockingSnapshot(
      Calls calls, Dispatcher dispatcher, FileSnapshot snapshot, Set<Runnable> openReads) {
    super(calls, snapshot, dispatcher, openReads, /* published= */ null);
    this.calls = calls;
    this.dispatcher = dispatcher;
    this.snapshot = snapshot;
  }

  @Override
  public long scn() {
    return snapshot.scn();
  }

  @Override
  public SnapshotInfo info() {
    return calls.call(port -> dispatcher.complete(port, Completion.done(snapshot.info())));
  }

  @Override
  public void close() {
    // The store's closing has closed it.
    if (!calls.isClosing()) {
      calls.<Unit>call(
          port -> {
            snapshot.close();
            dispatcher.complete(port, Completion.done());
          });
    }
  }
}
