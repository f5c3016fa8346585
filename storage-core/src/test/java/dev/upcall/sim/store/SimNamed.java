package dev.upcall.sim.store;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.sim.store.model.SimInspection;
import dev.upcall.sim.store.model.SimModel;
import dev.upcall.sim.store.model.SimNames;
import dev.upcall.store.NamedSnapshot;
import dev.upcall.store.NamedSnapshotList;
import dev.upcall.txn.Snapshot;
import dev.upcall.txn.Store;
import java.util.List;
import java.util.SplittableRandom;

/** Clients that make, list, read and drop named snapshots, while others change the store. */
final class SimNamed {
  private static final int NAMES = 6;

  private final Store store;
  private final SimModel model;
  private final SplittableRandom random;
  private final SimReader.Manners manners;
  private final Runnable over;

  /**
   * A client with one request.
   *
   * @param over run when it is answered, and what it opened is closed
   */
  SimNamed(
      Store store,
      SimModel model,
      SplittableRandom random,
      SimReader.Manners manners,
      Runnable over) {
    this.store = store;
    this.model = model;
    this.random = random;
    this.manners = manners;
    this.over = over;
  }

  /** Makes the request; one for a name that there is drops it often, or seldom. */
  void run(boolean drops) {
    String name = "snapshot " + random.nextInt(NAMES);
    if (random.nextInt(6) == 0) {
      list();
    } else if (!model.names().isSure(name)) {
      over.run();
    } else if (model.names().isFree(name)) {
      create(name);
    } else if (random.nextInt(drops ? 2 : 3) == 0) {
      drop(name);
    } else if (random.nextInt(8) == 0) {
      createAgain(name);
    } else {
      read(name);
    }
  }

  private void create(String name) {
    model.names().creating(name);
    store
        .namedSnapshots()
        .create(
            name,
            completion -> {
              switch (completion) {
                case Completion.Done<NamedSnapshot>(NamedSnapshot made) ->
                    model
                        .names()
                        .created(name, new SimNames.Known(made.scn(), model.at(made.scn())));
                case Completion.Failed<NamedSnapshot>(Failure failure) -> {
                  manners.refused().accept(failure);
                  if (!leavesDoubt(failure)) {
                    model.names().notCreated(name);
                  }
                }
              }
              over.run();
            });
  }

  private void createAgain(String name) {
    model.names().creating(name);
    store
        .namedSnapshots()
        .create(
            name,
            completion -> {
              model.names().notCreated(name);
              if (!(completion instanceof Completion.Failed<NamedSnapshot>(Failure failure))) {
                throw new AssertionError("made twice: " + completion);
              }
              if (!(failure instanceof Failure.AlreadyExists)) {
                manners.refused().accept(failure);
              }
              over.run();
            });
  }

  private void drop(String name) {
    model.names().dropping(name);
    store
        .namedSnapshots()
        .drop(
            name,
            completion -> {
              switch (completion) {
                case Completion.Done<Unit> done -> model.names().dropped(name);
                case Completion.Failed<Unit>(Failure failure) -> {
                  manners.refused().accept(failure);
                  if (!leavesDoubt(failure)) {
                    model.names().notDropped(name);
                  }
                }
              }
              over.run();
            });
  }

  /** The log may have taken the change all the same. */
  private static boolean leavesDoubt(Failure failure) {
    return failure instanceof Failure.Device || failure instanceof Failure.ReadOnly;
  }

  private void list() {
    store
        .namedSnapshots()
        .list(
            completion -> {
              switch (completion) {
                case Completion.Failed<NamedSnapshotList>(Failure failure) ->
                    manners.refused().accept(failure);
                case Completion.Done<NamedSnapshotList>(NamedSnapshotList list) -> check(list);
              }
              over.run();
            });
  }

  private static void check(NamedSnapshotList list) {
    long exclusive = list.snapshots().stream().mapToLong(NamedSnapshot::exclusiveBytes).sum();
    SimInspection.checkThat(exclusive <= list.heldBytes(), "held: " + list);
    List<Long> scns = list.snapshots().stream().map(NamedSnapshot::scn).toList();
    SimInspection.checkThat(scns.stream().sorted().toList().equals(scns), "order: " + list);
  }

  private void read(String name) {
    SimNames.Known expected = model.names().known().get(name);
    store
        .namedSnapshots()
        .open(
            name,
            completion -> {
              switch (completion) {
                case Completion.Failed<Snapshot>(Failure failure) -> {
                  if (!(failure instanceof Failure.NotFound)
                      || model.names().known().get(name) == expected
                          && model.names().isSure(name)) {
                    manners.refused().accept(failure);
                  }
                  over.run();
                }
                case Completion.Done<Snapshot>(Snapshot snapshot) -> {
                  if (snapshot.scn() == expected.scn()) {
                    new SimSnapshots(store, random, manners, over).look(snapshot, expected.shows());
                  } else {
                    // Dropped and made again meanwhile.
                    snapshot.close();
                    over.run();
                  }
                }
              }
            });
  }
}
