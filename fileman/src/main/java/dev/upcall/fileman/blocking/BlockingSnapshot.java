package dev.upcall.fileman.blocking;

import dev.upcall.FileSnapshot;
import dev.upcall.UpcallSnapshot;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.nio.StoreFileSystems;
import dev.upcall.store.SnapshotInfo;
import java.nio.file.FileSystem;
import java.util.Objects;
import java.util.Set;

/** A snapshot for callers that wait. */
final class BlockingSnapshot extends BlockingReads implements UpcallSnapshot {
  private final Calls calls;
  private final Dispatcher dispatcher;
  private final FileSnapshot snapshot;
  private final StoreFileSystems fileSystems;

  BlockingSnapshot(
      Calls calls,
      Dispatcher dispatcher,
      FileSnapshot snapshot,
      Set<Runnable> openReads,
      StoreFileSystems fileSystems) {
    super(calls, snapshot, dispatcher, openReads, /* published= */ null);
    this.calls = calls;
    this.dispatcher = dispatcher;
    this.snapshot = snapshot;
    this.fileSystems = fileSystems;
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
  public FileSystem fileSystem(String name) {
    return fileSystems.of(this, Objects.requireNonNull(name, "name"));
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
