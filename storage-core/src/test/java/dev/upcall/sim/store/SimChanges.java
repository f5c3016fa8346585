package dev.upcall.sim.store;

import dev.upcall.access.SegmentEdits;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.content.StagedContent;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.TreeKeys;
import dev.upcall.sim.store.model.SimFileNames;
import dev.upcall.sim.store.model.SimInspection;
import dev.upcall.sim.store.model.SimModel;
import dev.upcall.sim.store.model.SimTables;
import dev.upcall.store.Durability;
import dev.upcall.store.StoreFixture;
import dev.upcall.txn.Mutations;
import dev.upcall.txn.SegmentMutations;
import dev.upcall.txn.Store;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.View;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The changes of clients that are one request each, and what the model is told of them. */
final class SimChanges {
  private final SimClients clients;
  private final Store store;
  private final SimModel model;
  private final SimClients.SimStamps stamps;
  private final SplittableRandom random;

  /** New content of a file, staged; with its bytes where its number does not tell them. */
  record New(long id, long content, int size, byte @Nullable [] bytes, StagedContent staged) {}

  /**
   * Changes.
   *
   * @param clients who asks, and hears of the end
   * @param random theirs
   */
  SimChanges(
      SimClients clients,
      Store store,
      SimModel model,
      SimClients.SimStamps stamps,
      SplittableRandom random) {
    this.clients = clients;
    this.store = store;
    this.model = model;
    this.stamps = stamps;
    this.random = random;
  }

  /** Some files get new content, some go; those that are not there are left alone. */
  void putAndRemove(List<New> staged, Set<Long> gone) {
    long stamp = stamps.next();
    int[] number = new int[1];
    Durability durability = clients.durability();
    store.<Unit>changeSegment(
        (view, out) -> {
          SimModel.Step step = new SimModel.Step(clients.now());
          for (New each : staged) {
            Inode old = clients.planning(view, each.id());
            Inode next = SimFileNames.madeOrTouched(out, each.id(), old, stamp);
            out.putInode(next, each.staged());
            SimModel.FileState state =
                new SimModel.FileState(next.version(), each.content(), each.size(), each.bytes());
            // Of content that comes again the store may have all blocks: then none of it is new.
            step.content(each.id(), state, each.bytes() == null ? each.size() : 0);
          }
          boolean some = !staged.isEmpty();
          for (long id : gone) {
            Inode old = clients.planning(view, id);
            if (old != null) {
              SimFileNames.removed(out, old);
              step.file(id, null);
              some = true;
            }
          }
          if (some) {
            out.onApplied(() -> number[0] = model.apply(step));
          }
          return Completion.done();
        },
        durability,
        completion -> {
          staged.forEach(each -> each.staged().discard());
          clients.changed(completion, durability, number[0]);
        });
  }

  void touch(long id) {
    long stamp = stamps.next();
    int[] number = new int[1];
    Durability durability = clients.durability();
    store.<Unit>changeSegment(
        (view, out) -> {
          SimModel.Step step = new SimModel.Step(clients.now());
          if (touch(id, stamp, view, out, step)) {
            out.onApplied(() -> number[0] = model.apply(step));
          }
          return Completion.done();
        },
        durability,
        completion -> clients.changed(completion, durability, number[0]));
  }

  /** Whether the file is there. */
  private boolean touch(long id, long stamp, View view, SegmentMutations out, SimModel.Step step) {
    Inode old = clients.planning(view, id);
    SimModel.FileState state = model.live().files().get(id);
    if (old == null || state == null) {
      return false;
    }
    Inode next = SimFileNames.withPolicy(old.touched(stamp), stamp);
    step.file(id, state.touched(next.version()));
    out.putInode(next);
    return true;
  }

  /** Content of one file for another, which may be there; sometimes the source ends with it. */
  void cloneOf(long from, long to) {
    long stamp = stamps.next();
    boolean removes = random.nextInt(6) == 0;
    int[] number = new int[1];
    Durability durability = clients.durability();
    store.<Unit>changeSegment(
        (view, out) -> {
          Inode source = clients.planning(view, from);
          Inode old = clients.planning(view, to);
          SimModel.FileState state = model.live().files().get(from);
          if (source != null && state != null && from != to) {
            SimModel.Step step = new SimModel.Step(clients.now());
            Inode next = SimFileNames.madeOrTouched(out, to, old, stamp);
            out.putClone(next, from);
            step.file(to, state.touched(next.version()));
            if (removes) {
              SimFileNames.removed(out, source);
              step.file(from, null);
            }
            out.onApplied(() -> number[0] = model.apply(step));
          }
          return Completion.done();
        },
        durability,
        completion -> clients.changed(completion, durability, number[0]));
  }

  /**
   * Ranges of one file for another or for itself; nothing where the files are not there, or no
   * longer as large. Sometimes the source ends with it.
   */
  void copy(long from, long to, Runnable over) {
    SimModel.FileState source = model.live().files().get(from);
    SimModel.FileState target = model.live().files().get(to);
    if (source == null || target == null) {
      clients.pause(over);
      return;
    }
    SimCopies copies = SimCopies.draw(from, to, source.size(), target.size(), random);
    boolean removes = from != to && random.nextInt(6) == 0;
    long stamp = stamps.next();
    Durability durability = clients.durability();
    SegmentEdits edits = new SegmentEdits(store, store, StoreFixture.OWNER, stamp);
    int[] number = new int[1];
    edits.takePlace(
        placed -> {
          CompletionPort<Unit> done =
              completion -> {
                edits.close();
                clients.noted(completion, durability, number[0]);
                over.run();
              };
          if (placed instanceof Completion.Failed<Unit>) {
            done.complete(placed);
          } else {
            store.changeSegment(
                (view, out) -> {
                  SimModel.Step step = plan(copies, edits, view, out, stamp);
                  if (step != null && removes) {
                    SimFileNames.removed(out, Objects.requireNonNull(view.inode(from)));
                    step.file(from, null);
                  }
                  if (step != null) {
                    out.onApplied(() -> number[0] = model.apply(step));
                  }
                  return Completion.done();
                },
                durability,
                done);
          }
        });
  }

  private SimModel.@Nullable Step plan(
      SimCopies copies, SegmentEdits edits, View view, SegmentMutations out, long stamp) {
    Inode source = clients.planning(view, copies.from());
    Inode target = clients.planning(view, copies.to());
    SimModel.FileState of = model.live().files().get(copies.from());
    SimModel.FileState before = model.live().files().get(copies.to());
    if (source == null || target == null || of == null || before == null) {
      return null;
    }
    byte[] bytes = copies.of(of.bytes(), before.bytes());
    if (bytes == null) {
      return null;
    }
    Inode next = target.touched(stamp);
    edits.plan(view, out, List.of(new SegmentEdits.Edited(next, "file", copies.edits())));
    model.akin(of.content(), before.content());
    SimModel.Step step = new SimModel.Step(clients.now());
    step.file(
        copies.to(), new SimModel.FileState(next.version(), before.content(), bytes.length, bytes));
    return step;
  }

  /** Gives a property a value, or removes it. */
  static void property(Mutations out, long key, @Nullable Long value) {
    if (value == null) {
      out.remove(StoreTree.PROPERTIES, TreeKeys.of(key));
    } else {
      out.put(StoreTree.PROPERTIES, TreeKeys.of(key), TreeKeys.of(value));
    }
  }

  /**
   * Tables come and go, and entries of them change.
   *
   * @param contents of large values, which this uses up
   * @param mixed whether the change looks first, and touches a file, too
   */
  void tables(List<SimTables.Op> ops, Map<Long, StagedContent> contents, boolean mixed) {
    long file = mixed ? clients.id() : 0;
    long stamp = mixed ? stamps.next() : 0;
    int[] number = new int[1];
    Durability durability = clients.durability();
    store.<Unit>changeSegment(
        (view, out) -> {
          SimModel.Step step = new SimModel.Step(clients.now());
          step.tables(SimTables.applied(ops, model.live().tables()));
          if (mixed) {
            SimTables.check(view, ops, model.live().tables());
            touch(file, stamp, view, out, step);
          }
          boolean isThere =
              SimTables.plan(ops, contents, view, out, store.access().faults(), new TreeMap<>());
          SimInspection.checkThat(isThere, "a table with a name and without a number of entries");
          out.onApplied(() -> number[0] = model.apply(step));
          return Completion.done();
        },
        durability,
        completion -> {
          contents.values().forEach(StagedContent::discard);
          clients.changed(completion, durability, number[0]);
        });
  }

  void property(long key, @Nullable Long value) {
    int[] number = new int[1];
    Durability durability = clients.durability();
    store.<Unit>changeSegment(
        (view, out) -> {
          SimModel.Step step = new SimModel.Step(clients.now());
          step.property(key, value);
          property(out, key, value);
          out.onApplied(() -> number[0] = model.apply(step));
          return Completion.done();
        },
        durability,
        completion -> clients.changed(completion, durability, number[0]));
  }
}
