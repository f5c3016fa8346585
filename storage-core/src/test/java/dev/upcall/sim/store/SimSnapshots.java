package dev.upcall.sim.store;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.layout.Inode;
import dev.upcall.sim.store.model.SimInspection;
import dev.upcall.sim.store.model.SimModel;
import dev.upcall.store.SnapshotInfo;
import dev.upcall.store.StoreFixture;
import dev.upcall.txn.Query;
import dev.upcall.txn.Snapshot;
import dev.upcall.txn.Store;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A client that takes a snapshot and reads in it again and again, with pauses, while others change
 * the store: it must always find the moment at which it was taken.
 */
final class SimSnapshots {
  private static final int MAX_LOOKS = 20;

  private final Store store;
  private final SplittableRandom random;
  private final SimReader.Manners manners;
  private final Runnable over;
  private SimModel.Snapshot expected = new SimModel.Snapshot();
  private int looks;

  /**
   * A client.
   *
   * @param over run when the snapshot is closed
   */
  SimSnapshots(Store store, SplittableRandom random, SimReader.Manners manners, Runnable over) {
    this.store = store;
    this.random = random;
    this.manners = manners;
    this.over = over;
    this.looks = 1 + random.nextInt(MAX_LOOKS);
  }

  void take(SimModel model) {
    SimModel.Asked asked = model.ask();
    store.snapshot(
        completion -> {
          switch (completion) {
            case Completion.Failed<Snapshot> failed -> {
              manners.refused().accept(failed.failure());
              over.run();
            }
            case Completion.Done<Snapshot>(Snapshot snapshot) -> {
              manners.heard().accept(snapshot.scn());
              look(snapshot, model.shownBy(asked, snapshot.scn()));
            }
          }
        });
  }

  /** Looks into one that is open and shows what is expected, and closes it. */
  void look(Snapshot snapshot, SimModel.Snapshot shows) {
    expected = shows;
    manners.pause().accept(() -> next(snapshot));
  }

  private void next(Snapshot snapshot) {
    if (looks-- == 0) {
      SnapshotInfo info = snapshot.info();
      SimInspection.checkThat(info.ageNanos() >= 0 && info.heldBytes() >= 0, info::toString);
      snapshot.close();
      over.run();
      return;
    }
    if (random.nextInt(3) == 0) {
      lookAtAll(snapshot);
    } else {
      read(snapshot);
    }
    if (looks == 0 && snapshot.scn() % 2 == 0) {
      // What was asked before ends as if it were open.
      snapshot.close();
    }
  }

  private void again(Snapshot snapshot) {
    manners.pause().accept(() -> next(snapshot));
  }

  private void failed(Snapshot snapshot, Failure failure) {
    manners.refused().accept(failure);
    again(snapshot);
  }

  private void lookAtAll(Snapshot snapshot) {
    Query<SimModel.Snapshot> all = view -> Completion.done(SimInspection.look(view));
    if (SimLooker.elsewhere(snapshot, all)
        instanceof Completion.Done<SimModel.Snapshot>(SimModel.Snapshot found)) {
      checkSeen(snapshot, found);
    }
    snapshot.query(
        all,
        completion -> {
          switch (completion) {
            case Completion.Failed<SimModel.Snapshot> failed -> failed(snapshot, failed.failure());
            case Completion.Done<SimModel.Snapshot>(SimModel.Snapshot found) -> {
              checkSeen(snapshot, found);
              again(snapshot);
            }
          }
        });
  }

  private void checkSeen(Snapshot snapshot, SimModel.Snapshot found) {
    SimInspection.checkThat(
        expected.looksLike(found),
        () ->
            "snapshot %d changed:%n found %s%n taken %s"
                .formatted(snapshot.scn(), found, expected));
  }

  private void read(Snapshot snapshot) {
    if (expected.files().isEmpty()) {
      again(snapshot);
      return;
    }
    List<Long> ids = List.copyOf(expected.files().keySet());
    long id = ids.get(random.nextInt(ids.size()));
    SimModel.FileState state = expected.files().get(id);
    Query<Inode> which =
        view -> {
          Inode inode = view.inode(id);
          return inode != null && inode.version() == state.version()
              ? Completion.done(inode)
              : Completion.failed(
                  new Failure.Conflict(
                      "file " + id + " in snapshot: " + SimInspection.text(inode)));
        };
    SimLooker.checkBytesElsewhere(snapshot, which, state.bytes());
    snapshot.pin(
        which,
        StoreFixture.OWNER,
        completion -> {
          switch (completion) {
            case Completion.Failed<PinnedContent> failed -> failed(snapshot, failed.failure());
            case Completion.Done<PinnedContent>(PinnedContent content) ->
                new SimReader(content, state.bytes(), random, manners, () -> again(snapshot))
                    .next(0);
          }
        });
  }
}
