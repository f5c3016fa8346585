package dev.upcall.sim.store;

import dev.upcall.access.SegmentEdits;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.ContentStager;
import dev.upcall.content.StagedContent;
import dev.upcall.segment.layout.Inode;
import dev.upcall.sim.store.model.SimFileNames;
import dev.upcall.sim.store.model.SimModel;
import dev.upcall.sim.store.model.SimTables;
import dev.upcall.sim.store.plan.SimHabits;
import dev.upcall.store.StoreFixture;
import dev.upcall.txn.SegmentMutations;
import dev.upcall.txn.Store;
import dev.upcall.txn.TransactionStep;
import dev.upcall.txn.View;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a simulated transaction changes, step by step. */
final class SimTransactionSteps {
  private final SimTransaction running;
  private final SimClients clients;
  private final Store store;
  private final SimHabits habits;
  private final SimClients.SimStamps stamps;
  private final SplittableRandom random;

  SimTransactionSteps(
      SimTransaction running,
      SimClients clients,
      Store store,
      SimClients.Means means,
      SplittableRandom random) {
    this.running = running;
    this.clients = clients;
    this.store = store;
    this.habits = means.habits();
    this.stamps = means.stamps();
    this.random = random;
  }

  void put(long id) {
    if (store.refusesContent() != null) {
      running.again();
      return;
    }
    long content = habits.content(stamps.next(), random);
    int size = habits.size(random);
    ContentStager stager = store.stage(StoreFixture.OWNER, habits.compression());
    stager.append(
        ByteBuffer.wrap(StoreFixture.bytes(content, size)),
        appended -> {
          if (appended instanceof Completion.Failed<Unit>(Failure failure)) {
            stager.discard();
            running.failed(failure);
          } else {
            stager.finish(
                finished -> {
                  switch (finished) {
                    case Completion.Failed<StagedContent>(Failure failure) -> {
                      stager.discard();
                      running.failed(failure);
                    }
                    case Completion.Done<StagedContent>(StagedContent staged) ->
                        put(id, new SimModel.FileState(0, content, size), staged);
                  }
                });
          }
        });
  }

  private void put(long id, SimModel.FileState state, StagedContent staged) {
    long stamp = stamps.next();
    changeFile(
        id,
        List.of(staged),
        (old, out) -> {
          Inode next = SimFileNames.madeOrTouched(out, id, old, stamp);
          out.putInode(next, staged);
          return new SimModel.FileState(next.version(), state.content(), state.size());
        });
  }

  void touch(long id) {
    long stamp = stamps.next();
    SimModel.FileState before = running.own().files().get(id);
    if (before == null) {
      running.again();
      return;
    }
    changeFile(
        id,
        List.of(),
        (old, out) -> {
          Inode next = Objects.requireNonNull(old).touched(stamp);
          out.putInode(next);
          return before.touched(next.version());
        });
  }

  /** The source must be at the commit what it was at the beginning, or there is none. */
  void cloneOf(long from, long to) {
    long stamp = stamps.next();
    SimModel.FileState source = running.own().files().get(from);
    if (source == null || from == to) {
      running.again();
      return;
    }
    changeFile(
        to,
        List.of(),
        (old, out) -> {
          Inode next = SimFileNames.madeOrTouched(out, to, old, stamp);
          out.putClone(next, from);
          return source.touched(next.version());
        });
  }

  /** Both files must be at the commit what they were at the beginning. */
  void copy(long from, long to) {
    SimModel.FileState source = running.own().files().get(from);
    SimModel.FileState before = running.own().files().get(to);
    if (source == null || before == null) {
      running.again();
      return;
    }
    SimCopies copies = SimCopies.draw(from, to, source.size(), before.size(), random);
    byte[] bytes = Objects.requireNonNull(copies.of(source.bytes(), before.bytes()));
    long stamp = stamps.next();
    SegmentEdits edits =
        new SegmentEdits(store, running.asTransaction(), StoreFixture.OWNER, stamp);
    edits.takePlace(
        placed -> {
          if (placed instanceof Completion.Failed<Unit>(Failure failure)) {
            edits.close();
            running.failed(failure);
            return;
          }
          running.asked(); // not before: to wait for a place is to ask the store
          running
              .asTransaction()
              .change(
                  new TransactionStep<Unit>(
                      "ranges of " + from,
                      (view, out) -> {
                        if (copies.isOfAnother()) {
                          running.seen(view, from, source);
                        }
                        Inode next =
                            Objects.requireNonNull(running.seen(view, to, before)).touched(stamp);
                        edits.plan(
                            view,
                            out,
                            List.of(new SegmentEdits.Edited(next, "file", copies.edits())));
                        out.onApplied(running::applied);
                        return Completion.done();
                      },
                      List.of(edits)),
                  completion -> {
                    switch (completion) {
                      case Completion.Failed<Unit>(Failure failure) -> {
                        edits.close();
                        running.failed(failure);
                      }
                      case Completion.Done<Unit> _ -> {
                        edits.handOver();
                        running.akin(source, before);
                        running.recordFile(to, before);
                        running.changed(to, copied(before, bytes), false);
                        running.read(to);
                      }
                    }
                  });
        });
  }

  private static SimModel.FileState copied(SimModel.FileState before, byte[] bytes) {
    return new SimModel.FileState(before.version() + 1, before.content(), bytes.length, bytes);
  }

  /** Ranges of a file, written through a handle. */
  void ranges(long id) {
    SimModel.FileState before = running.own().files().get(id);
    if (before == null) {
      running.again();
      return;
    }
    running.asked();
    new SimRanges(clients, store, habits, random)
        .run(
            running.asTransaction(),
            id,
            before,
            new SimRanges.Judge() {
              @Override
              public void planned(View view, SegmentMutations out, SimModel.FileState expected) {
                running.seen(view, id, expected);
                out.onApplied(running::applied);
              }

              @Override
              public void flushed(
                  SimModel.FileState expected, SimModel.FileState after, long writtenBytes) {
                running.recordFile(id, expected);
                running.ranged(id, writtenBytes);
                running.changed(id, after, false);
                running.asked();
              }

              @Override
              public void over(Completion<Unit> completion) {
                switch (completion) {
                  case Completion.Failed<Unit>(Failure failure) -> running.failed(failure);
                  case Completion.Done<Unit> _ -> running.read(id);
                }
              }
            });
  }

  void remove(long id) {
    if (running.own().files().get(id) == null) {
      running.again();
      return;
    }
    changeFile(
        id,
        List.of(),
        (old, out) -> {
          SimFileNames.removed(out, Objects.requireNonNull(old));
          return null;
        });
  }

  private void changeFile(long id, List<StagedContent> content, FileChange change) {
    SimModel.FileState expected = running.own().files().get(id);
    SimModel.@Nullable FileState[] after = new SimModel.@Nullable FileState[1];
    running.asked();
    running
        .asTransaction()
        .change(
            new TransactionStep<Unit>(
                "file " + id,
                (view, out) -> {
                  after[0] = change.plan(running.seen(view, id, expected), out);
                  out.onApplied(running::applied);
                  return Completion.done();
                },
                content),
            completion -> {
              switch (completion) {
                case Completion.Failed<Unit>(Failure failure) -> running.failed(failure);
                case Completion.Done<Unit> _ -> {
                  running.recordFile(id, expected);
                  running.changed(id, after[0], !content.isEmpty());
                  running.again();
                }
              }
            });
  }

  void property() {
    long key = habits.property(random);
    Long value = habits.orNone(stamps.next());
    running.asked();
    running
        .asTransaction()
        .change(
            new TransactionStep<Unit>(
                "property " + key,
                (view, out) -> {
                  SimChanges.property(out, key, value);
                  out.onApplied(running::applied);
                  return Completion.done();
                },
                List.of()),
            completion -> {
              switch (completion) {
                case Completion.Failed<Unit>(Failure failure) -> running.failed(failure);
                case Completion.Done<Unit> _ -> {
                  running.changedProperty(key, value);
                  running.again();
                }
              }
            });
  }

  /** Tables that are found by the first plan must be there at the commit. */
  void tables() {
    List<SimTables.Op> ops = habits.entries(random, stamps::next);
    List<Long> contents = SimTables.contents(ops);
    if (!contents.isEmpty() && store.refusesContent() != null) {
      running.again();
      return;
    }
    new SimValues(store, habits, contents)
        .stage(
            staged -> {
              switch (staged) {
                case Completion.Failed<Map<Long, StagedContent>>(Failure failure) ->
                    running.failed(failure);
                case Completion.Done<Map<Long, StagedContent>>(var brought) -> tables(ops, brought);
              }
            });
  }

  private void tables(List<SimTables.Op> ops, Map<Long, StagedContent> contents) {
    TreeMap<Long, Long> ids = new TreeMap<>();
    boolean[] looks = {habits.mixed()};
    running.asked();
    running
        .asTransaction()
        .change(
            new TransactionStep<Unit>(
                "entries of tables",
                (view, out) -> {
                  if (looks[0]) {
                    SimTables.check(view, ops, running.own().tables());
                  }
                  if (!SimTables.plan(ops, contents, view, out, store.access().faults(), ids)) {
                    return Completion.failed(new Failure.NotFound("a table"));
                  }
                  out.onApplied(running::applied);
                  return Completion.done();
                },
                List.copyOf(contents.values())),
            completion -> {
              switch (completion) {
                case Completion.Failed<Unit>(Failure failure) -> running.failed(failure);
                case Completion.Done<Unit> _ -> {
                  if (looks[0]) {
                    running.recordEntries(ops);
                    looks[0] = false; // at the commit, others may have changed what it only read
                  }
                  running.changedTables(ops);
                  running.again();
                }
              }
            });
  }

  /** What a step does to a file. */
  private interface FileChange {
    SimModel.@Nullable FileState plan(@Nullable Inode old, SegmentMutations out);
  }
}
