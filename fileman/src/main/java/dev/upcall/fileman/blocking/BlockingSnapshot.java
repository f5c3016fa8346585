package dev.upcall.fileman.blocking;

import dev.upcall.FileSnapshot;
import dev.upcall.UpcallSnapshot;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.fileman.reading.PublishedLooks;
import dev.upcall.nio.StoreFileSystems;
import dev.upcall.store.SnapshotInfo;
import java.nio.file.FileSystem;
import java.util.Objects;

/** A snapshot for callers that wait. */
final class BlockingSnapshot extends BlockingReads implements UpcallSnapshot {
  private final Calls calls;
  private final FileSnapshot snapshot;
  private final StoreFileSystems fileSystems;

  BlockingSnapshot(
      Calls calls, FileSnapshot snapshot, PublishedLooks looks, StoreFileSystems fileSystems) {
    super(calls, looks);
    this.calls = calls;
    this.snapshot = snapshot;
    this.fileSystems = fileSystems;
  }

  @Override
  public long scn() {
    return snapshot.scn();
  }

  @Override
  public SnapshotInfo info() {
    return calls.call(port -> calls.dispatcher().complete(port, Completion.done(snapshot.info())));
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
            calls.dispatcher().complete(port, Completion.done());
          });
    }
  }
}
