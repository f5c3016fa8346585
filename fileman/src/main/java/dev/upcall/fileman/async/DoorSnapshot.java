package dev.upcall.fileman.async;

import dev.upcall.AsyncSnapshot;
import dev.upcall.FileSnapshot;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.fileman.reading.PublishedLooks;
import dev.upcall.store.SnapshotInfo;
import java.util.function.Consumer;

/** A snapshot through a door. */
final class DoorSnapshot extends DoorReads implements AsyncSnapshot {
  private final FileSnapshot snapshot;
  private final AsyncDoor door;

  DoorSnapshot(FileSnapshot snapshot, AsyncDoor door, PublishedLooks looks) {
    super(door, looks.in(snapshot));
    this.snapshot = snapshot;
    this.door = door;
  }

  @Override
  public long scn() {
    return snapshot.scn();
  }

  @Override
  public void info(CompletionPort<SnapshotInfo> port) {
    door.request(inner -> inner.complete(Completion.done(snapshot.info())), port);
  }

  @Override
  public <T> void request(Consumer<CompletionPort<T>> request, CompletionPort<T> port) {
    door.request(request, port);
  }

  @Override
  public void close(CompletionPort<Unit> port) {
    door.request(this::closeNow, port);
  }

  /** Dispatcher's thread. */
  private void closeNow(CompletionPort<Unit> port) {
    snapshot.close();
    port.complete(Completion.done());
  }
}
