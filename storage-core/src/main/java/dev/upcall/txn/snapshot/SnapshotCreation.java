package dev.upcall.txn.snapshot;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.segment.layout.Staged;
import dev.upcall.space.Extent;
import dev.upcall.space.FreeMap;
import dev.upcall.space.MapCapture;
import dev.upcall.space.MapChunk;
import dev.upcall.space.Reserve;
import dev.upcall.txn.SegmentMutations;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.View;
import dev.upcall.txn.checkpoint.Checkpoint;
import dev.upcall.txn.state.SnapshotNames;
import dev.upcall.txn.state.SnapshotRecord;
import dev.upcall.txn.state.StoreContext;
import dev.upcall.txn.state.StoreFault;
import dev.upcall.txn.state.StoredSnapshot;
import dev.upcall.txn.volume.StoreRoot;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes one named snapshot. The moment is the freeze of a checkpoint: in that upcall the copy of
 * the map's committed bits begins, which are what the snapshot holds from then on. When the
 * checkpoint is durable, the bits are written, synced, and then one change names the snapshot. Only
 * this change makes it: whatever stops before, by a failure or a crash, leaves nothing.
 */
public final class SnapshotCreation extends StateMachine<SnapshotCreation.State>
    implements Checkpoint.Observer {
  /** Where a creation stands. */
  enum State {
    /** Waits for its turn. */
    WAITING,
    /** The checkpoint with the snapshot's moment is on its way, and what it holds is copied. */
    CHECKPOINTING,
    /** Room for the bits is being looked for. */
    ALLOCATING,
    /** The bits are being written. */
    WRITING,
    /** They are being made durable. */
    SYNCING,
    /** The change that names the snapshot is on its way. */
    NAMING,
    /** It exists, or there is nothing left of it. */
    DONE
  }

  public static final Transitions<State> TRANSITIONS =
      Transitions.of("SnapshotCreation", State.class, State.WAITING)
          .on("its turn", State.WAITING, State.CHECKPOINTING)
          .on("the name is taken", State.WAITING, State.DONE)
          .on("durable and copied", State.CHECKPOINTING, State.ALLOCATING)
          .on("no checkpoint", State.CHECKPOINTING, State.DONE)
          .on("there is room", State.ALLOCATING, State.WRITING)
          .on("volume full", State.ALLOCATING, State.DONE)
          .on("both copies are written", State.WRITING, State.SYNCING)
          .on("write failed", State.WRITING, State.DONE)
          .on("durable", State.SYNCING, State.NAMING)
          .on("sync failed", State.SYNCING, State.DONE)
          .on("named, refused", State.NAMING, State.DONE)
          .build();

  private static final int CHUNKS_PER_STEP = 8;
  private static final int BLOCKS_PER_WRITE = 16;

  private final StoreContext context;
  private final SnapshotCatalogue catalogue;
  private final String name;
  private final CompletionPort<StoredSnapshot> port;
  private @Nullable MapCapture capture;
  private List<StoreRoot> roots = List.of();
  private List<Extent> extents = List.of();
  private long scn;
  private long createdNanos;
  private long mapSequence;
  private long volumeBlocks;
  private long digest;
  private boolean copied;
  private boolean checkpointed;
  private boolean applied;

  SnapshotCreation(
      StoreContext context,
      SnapshotCatalogue catalogue,
      String name,
      CompletionPort<StoredSnapshot> port) {
    super(TRANSITIONS, context.dispatcher());
    this.context = context;
    this.catalogue = catalogue;
    this.name = name;
    this.port = port;
  }

  /** Its turn. Must itself run as an upcall. */
  void start() {
    Failure refusal = catalogue.refuses(name);
    if (refusal != null) {
      end(Completion.failed(refusal));
      return;
    }
    become(State.CHECKPOINTING);
    catalogue.checkpoint(this);
  }

  @Override
  public void frozen(long atScn, long imageSequence) {
    Invariants.check(capture == null, "frozen twice", atScn);
    long present = context.state().scn();
    Invariants.check(atScn == present, "told of a freeze after it", atScn, present);
    scn = atScn;
    volumeBlocks = context.state().map().totalBlocks();
    createdNanos = context.dispatcher().clock().epochNanos();
    mapSequence = imageSequence;
    // In the upcall of the freeze: from here on the capture sees each bit before it changes.
    capture = context.state().map().capture();
    context.dispatcher().post(this::copy);
  }

  private void copy() {
    if (!capture().step(CHUNKS_PER_STEP)) {
      context.dispatcher().post(this::copy);
      return;
    }
    copied = true;
    catalogue.copied();
    if (state() == State.DONE) {
      catalogue.failed(capture());
    } else if (checkpointed) {
      allocate();
    }
  }

  private MapCapture capture() {
    return Invariants.present(capture, "the copy of the map");
  }

  @Override
  public void durable(List<StoreRoot> frozenRoots) {
    roots = frozenRoots;
    checkpointed = true;
    if (copied) {
      allocate();
    }
  }

  @Override
  public void failed(Failure failure) {
    end(Completion.failed(failure));
  }

  private void allocate() {
    if (state() != State.ALLOCATING) {
      become(State.ALLOCATING);
    }
    // Both must be over: a copy without its checkpoint would hold blocks of a state that never was.
    Invariants.check(copied && checkpointed, "room for bits that are not known", scn);
    FreeMap map = context.state().map();
    int blocks = capture().blocks().count();
    List<Extent> first = map.allocatePieces(blocks, SnapshotRecord.MAX_PIECES);
    List<Extent> second =
        first.isEmpty()
            ? List.of()
            : map.allocatePiecesFar(
                blocks, SnapshotRecord.MAX_PIECES, Reserve.NORMAL, first.getFirst());
    if (second.isEmpty()) {
      context.space().giveBack(first);
      more(2L * blocks);
      return;
    }
    extents = new ArrayList<>(first);
    extents.addAll(second);
    become(State.WRITING);
    write(0);
  }

  /** Waits for no checkpoint: dropping another snapshot may have to make room. */
  private void more(long blocks) {
    context.space().grow(blocks, then(this::allocate));
  }

  /** Writes the bits from a block on, counted over both copies. */
  private void write(int index) {
    int count = capture().blocks().count();
    if (index == 2 * count) {
      sync();
      return;
    }
    int most = Math.min(BLOCKS_PER_WRITE, (index < count ? count : 2 * count) - index);
    Extent run = SnapshotRecord.run(extents, index, most);
    int blocks = (int) run.blocks();
    ByteBuffer buffer = Disk.newBuffer(blocks * Disk.BLOCK_BYTES);
    for (int i = 0; i < blocks; i++) {
      MapChunk chunk = capture().blocks().encode((index + i) % count, mapSequence);
      digest += index < count ? chunk.digest() : 0;
      buffer.put(chunk.image());
    }
    context
        .disk()
        .submit(
            new DiskRequest.Write(
                run.block(),
                List.of(buffer.flip()),
                IoClass.BACKGROUND,
                then(() -> write(index + blocks))));
  }

  private void sync() {
    become(State.SYNCING);
    if (context.faults().has(StoreFault.SNAPSHOT_BEFORE_CHECKPOINT)) {
      name();
      return;
    }
    catalogue.disk().submit(new DiskRequest.Sync(IoClass.BACKGROUND, then(this::name)));
  }

  private void name() {
    // Last: until this change is durable a crash leaves nothing that would have to be undone.
    become(State.NAMING);
    long bits = extents.stream().mapToLong(Extent::blocks).sum();
    long wanted = 2L * capture().blocks().count();
    Invariants.check(bits == wanted, "blocks for the bits", bits, wanted);
    SnapshotRecord record =
        new SnapshotRecord(scn, createdNanos, mapSequence, digest, volumeBlocks, roots, extents);
    StoredSnapshot snapshot = new StoredSnapshot(name, record, capture().blocks());
    catalogue.change(
        (view, out) -> plan(snapshot, view, out),
        completion -> end(completion.map(named -> snapshot)));
  }

  private Completion<Unit> plan(StoredSnapshot snapshot, View view, SegmentMutations out) {
    byte[] key = SnapshotNames.key(name);
    if (view.get(StoreTree.SNAPSHOTS, key) != null) {
      return Completion.failed(SnapshotNames.exists(name));
    }
    out.put(StoreTree.SNAPSHOTS, key, snapshot.record().encode());
    for (Extent extent : extents) {
      // Synced before: nothing for recovery to compare.
      out.allocate(new Staged.NamedBlocks(extent, new int[0]));
    }
    out.onApplied(
        () -> {
          Invariants.check(!applied, "snapshot named twice", scn);
          applied = true;
          catalogue.named(snapshot);
        });
    return Completion.done();
  }

  private CompletionPort<Unit> then(Runnable next) {
    return CompletionPort.of(done -> next.run(), failure -> end(Completion.failed(failure)));
  }

  private void end(Completion<StoredSnapshot> completion) {
    become(State.DONE);
    // Once the change is applied its extents are the state's, also when the log then fails.
    if (!applied) {
      context.space().giveBack(extents);
      MapCapture begun = capture;
      if (begun != null && copied) {
        catalogue.failed(begun);
      }
    }
    port.complete(completion);
  }
}
