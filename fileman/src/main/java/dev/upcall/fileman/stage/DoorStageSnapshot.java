package dev.upcall.fileman.stage;

import dev.upcall.FileSnapshot;
import dev.upcall.completion.Completion;
import dev.upcall.fileman.reading.PublishedLooks;
import dev.upcall.stage.StageSnapshot;
import dev.upcall.store.SnapshotInfo;
import java.util.concurrent.CompletionStage;

/** A snapshot through the door of stages. */
final class DoorStageSnapshot extends DoorStageReads implements StageSnapshot {
  private final Asker asker;
  private final FileSnapshot snapshot;

  DoorStageSnapshot(Asker asker, FileSnapshot snapshot, PublishedLooks looks) {
    super(asker, looks.in(snapshot));
    this.asker = asker;
    this.snapshot = snapshot;
  }

  @Override
  public long scn() {
    return snapshot.scn();
  }

  @Override
  public CompletionStage<SnapshotInfo> info() {
    return asker.ask(
        port -> asker.door().dispatcher().complete(port, Completion.done(snapshot.info())));
  }

  @Override
  public CompletionStage<Void> close() {
    return asker.run(snapshot::close);
  }
}
