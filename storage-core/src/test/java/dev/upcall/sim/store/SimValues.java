package dev.upcall.sim.store;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.ContentStager;
import dev.upcall.content.StagedContent;
import dev.upcall.sim.store.model.SimTables;
import dev.upcall.sim.store.plan.SimHabits;
import dev.upcall.store.StoreFixture;
import dev.upcall.txn.Store;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Brings the large values of one change to a store, one after the other. */
final class SimValues {
  private final Store store;
  private final SimHabits habits;
  private final ArrayDeque<Long> left;
  private final Map<Long, StagedContent> staged = new TreeMap<>();

  /** Values of these stamps. */
  SimValues(Store store, SimHabits habits, List<Long> stamps) {
    this.store = store;
    this.habits = habits;
    this.left = new ArrayDeque<>(stamps);
  }

  /** Completes with all of them, by their stamps; what fails leaves nothing. */
  void stage(CompletionPort<Map<Long, StagedContent>> port) {
    Long stamp = left.poll();
    if (stamp == null) {
      port.complete(Completion.done(staged));
      return;
    }
    Failure refused = store.refusesContent();
    if (refused != null) {
      failed(refused, port);
      return;
    }
    ContentStager stager = store.stage(StoreFixture.OWNER, habits.compression());
    stager.append(
        ByteBuffer.wrap(SimTables.value(stamp)),
        appended -> {
          if (appended instanceof Completion.Failed<Unit>(Failure failure)) {
            stager.discard();
            failed(failure, port);
          } else {
            stager.finish(
                finished -> {
                  switch (finished) {
                    case Completion.Failed<StagedContent>(Failure failure) -> {
                      stager.discard();
                      failed(failure, port);
                    }
                    case Completion.Done<StagedContent>(StagedContent content) -> {
                      staged.put(stamp, content);
                      stage(port);
                    }
                  }
                });
          }
        });
  }

  private void failed(Failure failure, CompletionPort<Map<Long, StagedContent>> port) {
    staged.values().forEach(StagedContent::discard);
    port.complete(Completion.failed(failure));
  }
}
