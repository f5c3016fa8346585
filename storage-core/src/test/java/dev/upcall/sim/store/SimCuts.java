package dev.upcall.sim.store;

import dev.upcall.access.SegmentEdits;
import dev.upcall.access.SegmentHandle;
import dev.upcall.access.Segments;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.StagedContent;
import dev.upcall.io.Disk;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.Layout;
import dev.upcall.sim.SimWorld;
import dev.upcall.sim.store.model.SimEdit;
import dev.upcall.sim.store.model.SimFileNames;
import dev.upcall.sim.store.model.SimInspection;
import dev.upcall.sim.store.model.SimModel;
import dev.upcall.store.Durability;
import dev.upcall.store.StoreFixture;
import dev.upcall.txn.Store;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A volume is filled until it refuses what is new; then its files, of which some are clones of
 * others, are cut in every way.
 *
 * <p>A cut that gives back much is never refused. One that may keep more blocks than it gives back
 * (within a block, of few blocks, of what clones share) is not refused before some others of the
 * kind were done, and is done once something was deleted that shared nothing: the deletion of a
 * clone gives back less than the cut may keep. Refused at once is only one that may need more than
 * a tiny volume has left for such cuts, or one of a clone with an extent tree, for the counts of
 * one page: it is done then, too. While handles are open, which keep what was freed, any cut and
 * any deletion may be refused; they are done when the handles are given up.
 */
final class SimCuts {
  private static final int BLOCK = Disk.BLOCK_BYTES;
  private static final long FIRST_CLONE = 10_000;
  private static final long FIRST_FILLER = 20_000;
  private static final int MOST_CLONES = 3;
  private static final int MOST_HANDLES = 2;
  private static final int MOST_CUTS = 60;
  private static final int MOST_FILLERS = 3000;

  /** A cut of so many bytes that nobody shares gives back more than it can keep. */
  private static final int MUCH_BYTES = 24 * BLOCK;

  /** So many cuts that may keep blocks find room in what is kept for them. */
  private static final int LEAST_KEEPING = 3;

  /** With so few entries to a page a cut changes many pages for the blocks that it gives back. */
  private static final int FEW_ENTRIES = 8;

  /** What the smallest pool has for cuts that may keep blocks. */
  private static final long LEAST_FOR_CUTS_BYTES = 32 * BLOCK;

  /** What such a cut keeps of it at most: two blocks of content, and a page in two copies. */
  private static final long MOST_KEPT_BYTES = 4 * BLOCK;

  private final SimWorld world;
  private final Store store;
  private final SimModel model;
  private final boolean hasSmallPages;
  private final SplittableRandom random;
  private final StoreFixture files;

  /** Handles that are open: who has one keeps what the file has lost since. */
  private final List<Collected> open = new ArrayList<>();

  private long lastStamp = 1L << 40;

  /** Cuts that may have kept blocks since something was deleted that shared nothing. */
  private int keeping;

  /** A cut that a handle has collected. */
  private record Collected(long id, SegmentHandle handle, SimEdit cut) {}

  /**
   * Of a volume.
   *
   * @param treeFanOut entries of a tree page
   */
  SimCuts(SimWorld world, Store store, SimModel model, int treeFanOut, SplittableRandom random) {
    this.world = world;
    this.hasSmallPages = treeFanOut <= FEW_ENTRIES;
    this.store = store;
    this.model = model;
    this.random = random;
    this.files = StoreFixture.of(world, store);
  }

  /**
   * Fills and cuts.
   *
   * @param makeRoom removes what keeps what is cut; false if there is nothing of the kind
   */
  void run(BooleanSupplier makeRoom) {
    model.of(store);
    for (int i = random.nextInt(MOST_CLONES + 1); i > 0; i--) {
      cloneOne(FIRST_CLONE + i);
    }
    for (int i = random.nextInt(MOST_HANDLES + 1); i > 0; i--) {
      collect();
    }
    fill();
    while (!open.isEmpty()) {
      flush(open.getFirst(), makeRoom);
    }
    for (int i = random.nextInt(MOST_CUTS); i > 0; i--) {
      Long id = any();
      if (id != null) {
        cut(id, draw(state(id).size()), makeRoom);
      }
    }
  }

  private @Nullable Long any() {
    List<Long> some = new ArrayList<>();
    model
        .live()
        .files()
        .forEach(
            (id, state) -> {
              if (state.size() > 0) {
                some.add(id);
              }
            });
    return some.isEmpty() ? null : some.get(random.nextInt(some.size()));
  }

  private SimModel.FileState state(long id) {
    return Objects.requireNonNull(model.live().files().get(id));
  }

  private SimEdit draw(int size) {
    int most =
        switch (random.nextInt(4)) {
          case 0 -> 100;
          case 1 -> BLOCK;
          case 2 -> 8 * BLOCK;
          default -> size;
        };
    int removed = Math.min(size, 1 + random.nextInt(most));
    int offset =
        switch (random.nextInt(6)) {
          case 0 -> 0;
          case 1 -> size - removed;
          case 2 -> (random.nextInt(size - removed + 1)) / BLOCK * BLOCK;
          default -> random.nextInt(size - removed + 1);
        };
    return new SimEdit(offset, removed, new byte[0]);
  }

  // ------------------------------------------------------------------ a full volume

  private void cloneOne(long to) {
    Long from = any();
    if (from == null) {
      return;
    }
    SimModel.FileState source = state(from);
    changed(
        world.await(
            port ->
                store.<Unit>changeSegment(
                    (view, out) -> {
                      Inode made = SimFileNames.made(out, to, ++lastStamp << 20);
                      out.putClone(made, from);
                      out.onApplied(() -> applied(to, source.touched(made.version())));
                      return Completion.done();
                    },
                    Durability.SYNC,
                    port)));
  }

  private void fill() {
    long id = FIRST_FILLER;
    for (int blocks : List.of(64, 16, 4, 1)) {
      while (put(id, blocks * BLOCK)) {
        SimInspection.checkThat(id++ < FIRST_FILLER + MOST_FILLERS, "a volume that is never full");
      }
    }
  }

  private boolean put(long id, int size) {
    long content = ++lastStamp;
    StagedContent staged = files.stage(StoreFixture.bytes(content, size));
    if (staged == null) {
      return false;
    }
    Completion<Unit> completion =
        world.await(
            port ->
                store.<Unit>changeSegment(
                    (view, out) -> {
                      Inode made = SimFileNames.made(out, id, content << 20);
                      out.putInode(made, staged);
                      out.onApplied(
                          () -> applied(id, new SimModel.FileState(made.version(), content, size)));
                      return Completion.done();
                    },
                    Durability.SYNC,
                    port));
    staged.discard();
    return changed(completion);
  }

  private void applied(long id, SimModel.@Nullable FileState state) {
    SimModel.Step step = new SimModel.Step(store.dispatcher().upcallNanos());
    step.file(id, state);
    model.apply(step);
  }

  /** Whether a change was done; a full volume may refuse it. */
  private boolean changed(@Nullable Completion<Unit> completion) {
    boolean done = completion instanceof Completion.Done<Unit>;
    SimInspection.checkThat(
        done || completion instanceof Completion.Failed<Unit>(Failure.VolumeFull _),
        "filling: " + completion);
    model.require(model.applied());
    return done;
  }

  // ------------------------------------------------------------------ cuts

  private void collect() {
    Long id = any();
    if (id == null || open.stream().anyMatch(each -> each.id() == id)) {
      return;
    }
    SegmentHandle handle =
        world.get(port -> Segments.open(store, Segments.Target.of(id), StoreFixture.OWNER, port));
    SimEdit cut = draw(state(id).size());
    Completion<Unit> done =
        world.await(
            port -> handle.splice(cut.offset(), cut.removed(), ByteBuffer.wrap(cut.bytes()), port));
    if (done instanceof Completion.Done<Unit>) {
      open.add(new Collected(id, handle, cut));
    } else {
      handle.abandon();
    }
  }

  private void flush(Collected collected, BooleanSupplier makeRoom) {
    long id = collected.id();
    boolean isThere = model.live().files().containsKey(id); // not deleted for another's sake
    if (isThere && until(() -> flushed(collected), id, collected.cut(), makeRoom)) {
      cutApplied(id, collected.cut(), collected.handle().inode().version());
    }
    collected.handle().abandon();
    open.remove(collected);
  }

  private Completion<Unit> flushed(Collected collected) {
    return Objects.requireNonNull(world.await(collected.handle()::flush));
  }

  private void cut(long id, SimEdit cut, BooleanSupplier makeRoom) {
    until(() -> request(id, cut), id, cut, makeRoom);
  }

  /**
   * Asks for a cut, and again when it was refused and might be, and there is more room; false if
   * the handles had to be given up for that, or if it changes more pages than there is room for.
   */
  private boolean until(
      Supplier<Completion<Unit>> asked, long id, SimEdit cut, BooleanSupplier makeRoom) {
    boolean keeps = cut.removed() < MUCH_BYTES || isShared(id);
    Completion<Unit> done = admitted(asked);
    while (done instanceof Completion.Failed<Unit>(Failure.VolumeFull full)) {
      // What snapshots keep is no deletion's either.
      if (!makeRoom.getAsBoolean()) {
        boolean hadHandles = !open.isEmpty();
        long neededBytes = full.neededBytes();
        boolean changesMany = hasSmallPages && neededBytes > LEAST_FOR_CUTS_BYTES;
        boolean needsMuch = neededBytes > LEAST_FOR_CUTS_BYTES - keeping * MOST_KEPT_BYTES;
        boolean mayBe =
            changesMany || keeps && (keeping >= LEAST_KEEPING || needsMuch || isLargeClone(id));
        boolean hasRoom = (hadHandles || mayBe) && deleteAnother(id);
        SimInspection.checkThat(
            hasRoom || changesMany,
            "%d bytes at %d of file %d, which has %d, after %d cuts: %s"
                .formatted(cut.removed(), cut.offset(), id, state(id).size(), keeping, done));
        if (!hasRoom || hadHandles && open.isEmpty()) {
          return false;
        }
      }
      done = admitted(asked);
    }
    SimInspection.checkThat(done instanceof Completion.Done<Unit>, "a cut: " + done);
    keeping += keeps ? 1 : 0;
    return true;
  }

  /**
   * Some stores let in few requests at once, and the background asks too: once more, if need be.
   */
  private Completion<Unit> admitted(Supplier<Completion<Unit>> asked) {
    Completion<Unit> done = asked.get();
    if (done instanceof Completion.Failed<Unit>(Failure.Busy _)) {
      world.runUntilIdle();
      done = asked.get();
    }
    return done;
  }

  private boolean isShared(long id) {
    long kin = model.kinOf(state(id).content());
    return model.live().files().values().stream()
            .filter(each -> model.kinOf(each.content()) == kin)
            .count()
        > 1;
  }

  private boolean isLargeClone(long id) {
    Inode inode = world.get(port -> store.query(view -> Completion.done(view.inode(id)), port));
    return inode.layout().space() instanceof Layout.Indexed && isShared(id);
  }

  /**
   * Deletes the largest of the other files, for which handles are given up if they keep too much;
   * false if there is neither.
   */
  private boolean deleteAnother(long id) {
    Long largest =
        model.live().files().keySet().stream()
            .filter(each -> each != id && state(each).size() > 0)
            .max(Comparator.comparingInt(each -> state(each).size()))
            .orElse(null);
    if (largest == null) {
      return giveUpHandles();
    }
    keeping = isShared(largest) ? keeping : 0;
    Completion<Unit> deleted = delete(largest);
    if (deleted instanceof Completion.Failed<Unit>(Failure.VolumeFull _) && giveUpHandles()) {
      deleted = delete(largest);
    }
    SimInspection.checkThat(deleted instanceof Completion.Done<Unit>, "a deletion: " + deleted);
    model.require(model.applied());
    return true;
  }

  /** What they keep comes back; false if there are none. */
  private boolean giveUpHandles() {
    if (open.isEmpty()) {
      return false;
    }
    open.forEach(each -> each.handle().abandon());
    open.clear();
    keeping = 0;
    world.<Unit>get(store::checkpoint);
    return true;
  }

  private Completion<Unit> delete(long id) {
    return Objects.requireNonNull(
        world.await(
            port ->
                store.<Unit>changeSegment(
                    (view, out) -> {
                      SimFileNames.removed(out, Objects.requireNonNull(view.inode(id)));
                      out.onApplied(() -> applied(id, null));
                      return Completion.done();
                    },
                    Durability.SYNC,
                    port)));
  }

  private Completion<Unit> request(long id, SimEdit cut) {
    SegmentEdits edits = new SegmentEdits(store, store, StoreFixture.OWNER, ++lastStamp);
    world.<Unit>get(edits::takePlace);
    SegmentEdits.Edit splice =
        new SegmentEdits.Splice(cut.offset(), cut.removed(), ByteBuffer.wrap(cut.bytes()));
    Completion<Unit> completion =
        world.await(
            port ->
                edits.<Unit>change(
                    (view, out) -> {
                      Inode now = Objects.requireNonNull(view.inode(id));
                      Inode next = now.touched(lastStamp);
                      edits.plan(
                          view,
                          out,
                          List.of(new SegmentEdits.Edited(next, "file", List.of(splice))));
                      out.onApplied(() -> cutApplied(id, cut, next.version()));
                      return Completion.done();
                    },
                    Durability.SYNC,
                    port));
    edits.close();
    return Objects.requireNonNull(completion);
  }

  private void cutApplied(long id, SimEdit cut, long version) {
    SimModel.FileState before = state(id);
    byte[] bytes = cut.of(before.bytes());
    applied(id, new SimModel.FileState(version, before.content(), bytes.length, bytes));
    model.require(model.applied());
  }
}
