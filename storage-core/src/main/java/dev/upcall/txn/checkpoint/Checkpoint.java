package dev.upcall.txn.checkpoint;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Faults;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import dev.upcall.io.DiskRequest;
import dev.upcall.segment.BlockSource;
import dev.upcall.segment.PageWriter;
import dev.upcall.space.Extent;
import dev.upcall.space.MapImage;
import dev.upcall.space.Reserve;
import dev.upcall.tree.Frozen;
import dev.upcall.tree.Tree;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.log.CommitLog;
import dev.upcall.txn.state.Roots;
import dev.upcall.txn.state.StoreContext;
import dev.upcall.txn.state.StoreFault;
import dev.upcall.txn.state.StoreState;
import dev.upcall.txn.volume.LogPoint;
import dev.upcall.txn.volume.StoreRoot;
import dev.upcall.txn.volume.Superblock;
import dev.upcall.txn.volume.Superblocks;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the state as of one SCN durable in its place, so that the log before it is no longer
 * needed, while requests go on. At the freeze, one upcall, the trees are frozen, all blocks that
 * the checkpoint will write are allocated, and the image of the free-space map is taken with them;
 * everything after only writes.
 */
public final class Checkpoint extends StateMachine<CheckpointState> {
  public static final Transitions<CheckpointState> TRANSITIONS =
      Transitions.of("Checkpoint", CheckpointState.class, CheckpointState.IDLE)
          .on("start", CheckpointState.IDLE, CheckpointState.PLACING)
          .on("placed, frozen", CheckpointState.PLACING, CheckpointState.WRITING_IMAGE)
          .on("image written", CheckpointState.WRITING_IMAGE, CheckpointState.WRITING_PAGES)
          .on("pages written", CheckpointState.WRITING_PAGES, CheckpointState.WRITING_MAP)
          .on("map written", CheckpointState.WRITING_MAP, CheckpointState.SYNCING)
          .on("synced, log durable", CheckpointState.SYNCING, CheckpointState.WRITING_SUPERBLOCK)
          .on("superblock durable", CheckpointState.WRITING_SUPERBLOCK, CheckpointState.IDLE)
          .on("no space", CheckpointState.PLACING, CheckpointState.IDLE)
          .on("write failed", CheckpointState.WRITING_IMAGE, CheckpointState.IDLE)
          .on("write failed", CheckpointState.WRITING_PAGES, CheckpointState.IDLE)
          .on("write failed", CheckpointState.WRITING_MAP, CheckpointState.IDLE)
          .on("sync failed", CheckpointState.SYNCING, CheckpointState.IDLE)
          .on("write failed", CheckpointState.WRITING_SUPERBLOCK, CheckpointState.IDLE)
          .build();

  private static final int MAX_PIECES = 1 << 20;

  private final StoreContext context;
  private final WriteBack writeBack;
  private final CommitLog log;
  private final Superblocks superblocks;
  private final Listener listener;
  private final List<CompletionPort<Unit>> ports = new ArrayList<>();
  private final List<CompletionPort<Unit>> later = new ArrayList<>();
  private final List<Observer> observers = new ArrayList<>();
  private Superblock durable;
  private List<Extent> imageExtents;
  private @Nullable FrozenState frozenState;
  private @Nullable Failure broken;
  private final Faults faults;
  private boolean startPosted;
  private boolean toldEarly;
  private long startedNanos;

  /** Somebody who wants the very state that a checkpoint makes durable. */
  public interface Observer {
    /**
     * The upcall of the freeze: the map's committed bits are those of its image.
     *
     * @param scn the last change in the state
     * @param mapSequence of the image
     */
    void frozen(long scn, long mapSequence);

    /** What was frozen is durable, with these roots. */
    void durable(List<StoreRoot> roots);

    /** There is no checkpoint; nothing was frozen, or it cannot be made durable. */
    void failed(Failure failure);
  }

  /** Hears how checkpoints end. */
  public interface Listener {
    /** What this superblock no longer needs may be reused. */
    void checkpointDurable(Superblock superblock);

    /** Something could not be written: the store must not go on as if it were durable. */
    void checkpointFailed(Failure failure);
  }

  /**
   * What a checkpoint starts from.
   *
   * @param superblock the durable one
   * @param imageExtents blocks of its image of unplaced content, pages included
   */
  public record Base(Superblock superblock, List<Extent> imageExtents) {}

  /** Everything that the freeze fixed. */
  private record FrozenState(
      long scn,
      LogPoint replayFrom,
      List<Frozen> trees,
      UnplacedImage image,
      Places places,
      MapImage map,
      List<Observer> observers,
      long nextSegmentId) {}

  /** Where the parts of the checkpoint go. */
  private record Places(
      List<Extent> image, BlockSource copyA, BlockSource copyB, List<Extent> imagePages) {}

  public Checkpoint(
      StoreContext context, WriteBack writeBack, CommitLog log, Base base, Listener listener) {
    super(TRANSITIONS, context.dispatcher());
    this.context = context;
    this.writeBack = writeBack;
    this.log = log;
    this.listener = listener;
    this.faults = context.faults();
    this.superblocks = new Superblocks(context.dispatcher(), context.disk());
    this.durable = base.superblock();
    this.imageExtents = base.imageExtents();
  }

  public boolean isRunning() {
    return state() != CheckpointState.IDLE || startPosted;
  }

  /** Makes no further checkpoint; one that is being written ends by itself. */
  public void stop(Failure failure) {
    if (broken == null) {
      broken = failure;
    }
  }

  /** The superblock that is durable. */
  public Superblock durable() {
    return durable;
  }

  /** Completes when everything applied before the call is in a durable checkpoint. */
  public void request(CompletionPort<Unit> port) {
    if (state() != CheckpointState.IDLE) {
      later.add(port);
      return;
    }
    ports.add(port);
    if (!startPosted) {
      startPosted = true;
      context.dispatcher().post(this::start);
    }
  }

  /** Makes a checkpoint before a observer; with one that has not frozen yet, if there is one. */
  public void request(Observer observer) {
    observers.add(observer);
    if (state() != CheckpointState.PLACING) {
      request(completion -> {});
    }
  }

  private void start() {
    startPosted = false;
    startedNanos = context.dispatcher().upcallNanos();
    become(CheckpointState.PLACING);
    // What write-back could not place, for want of log or space, goes into the image.
    writeBack.placeAll(completion -> freeze());
  }

  private void freeze() {
    Failure failure = broken;
    if (failure != null) {
      end(Completion.failed(failure));
      return;
    }
    StoreState state = context.state();
    long scn = state.scn();
    UnplacedImage image =
        new UnplacedImage(
            context,
            faults.has(StoreFault.UNPLACED_IMAGE_SKIPPED)
                ? Collections.emptyMap()
                : state.segments().all());
    List<Frozen> trees = new ArrayList<>();
    long pages = 0;
    for (StoreTree tree : StoreTree.FROZEN) {
      Frozen frozen = state.tree(tree).freeze(scn);
      trees.add(frozen);
      pages += frozen.dirtyPages();
    }
    state.map().unreserve(state.map().promisedBlocks());
    Places places = allocate(image, pages);
    if (places == null) {
      image.releaseAll();
      state.settlePromise();
      noRoom(image.blocks() + 2 * pages);
      return;
    }
    for (Extent extent : imageExtents) {
      state.map().free(extent, scn);
    }
    imageExtents = new ArrayList<>(places.image());
    imageExtents.addAll(places.imagePages());
    MapImage map = state.map().image(durable.mapSequence() + 1);
    if (faults.has(StoreFault.RELEASE_AT_FREEZE)) {
      state.map().release(scn);
    }
    state.settlePromise();
    List<Observer> present = List.copyOf(observers);
    observers.clear();
    frozenState =
        new FrozenState(
            scn, log.replayPoint(), trees, image, places, map, present, state.nextSegmentId());
    become(CheckpointState.WRITING_IMAGE);
    present.forEach(observer -> observer.frozen(scn, map.seq()));
    state.openTree(StoreTree.UNPLACED, null);
    if (image.blocks() == 0) {
      writePages();
      return;
    }
    image.write(
        places.image(),
        state.tree(StoreTree.UNPLACED),
        completion -> then(completion, this::writePages));
  }

  /** Freezes again when the volume has grown, or ends. */
  private void noRoom(long blocks) {
    if (context.space().mayGrow()) {
      context
          .space()
          .grow(
              blocks,
              grown -> {
                if (grown instanceof Completion.Failed<Unit>) {
                  end(grown);
                } else {
                  freeze();
                }
              });
    } else {
      end(Completion.failed(context.space().full(blocks)));
    }
  }

  /**
   * Commits all blocks of the checkpoint at once, so that the map's image holds them; null if there
   * is no room.
   */
  private @Nullable Places allocate(UnplacedImage image, long pages) {
    List<List<Extent>> got = new ArrayList<>();
    boolean all =
        allocate(image.blocks(), got)
            && allocate(pages, got)
            && allocateFar(pages, got)
            && allocate(2L * imagePages(image, got.getFirst()), got);
    for (List<Extent> extents : got) {
      extents.forEach(all ? context.state().map()::commit : context.state().map()::giveBack);
    }
    return all
        ? new Places(
            got.get(0), new BlockSource(got.get(1)), new BlockSource(got.get(2)), got.get(3))
        : null;
  }

  private int imagePages(UnplacedImage image, List<Extent> extents) {
    StoreState state = context.state();
    return image.pages(extents, state.newTree(StoreTree.UNPLACED, null));
  }

  /** Second copies lie far from the first: one damaged region of the device does not take both. */
  private boolean allocateFar(long blocks, List<List<Extent>> got) {
    List<Extent> first = got.getLast();
    List<Extent> extents =
        blocks == 0
            ? List.of()
            : context
                .state()
                .map()
                .allocatePiecesFar(blocks, MAX_PIECES, Reserve.EMERGENCY, first.getFirst());
    got.add(extents);
    return blocks == 0 || !extents.isEmpty();
  }

  private boolean allocate(long blocks, List<List<Extent>> got) {
    List<Extent> extents =
        blocks == 0
            ? List.of()
            : context.state().map().allocatePieces(blocks, MAX_PIECES, Reserve.EMERGENCY);
    got.add(extents);
    return blocks == 0 || !extents.isEmpty();
  }

  private FrozenState frozenState() {
    return Invariants.present(frozenState, "what the freeze fixed");
  }

  private void writePages() {
    become(CheckpointState.WRITING_PAGES);
    ArrayDeque<Frozen> trees = new ArrayDeque<>(frozenState().trees());
    writeNextTree(trees);
  }

  private void writeNextTree(ArrayDeque<Frozen> trees) {
    Frozen frozen = trees.poll();
    if (frozen != null) {
      Places places = frozenState().places();
      PageWriter.write(
          pageWay(),
          frozen,
          new PageWriter.Places(places.copyA(), places.copyB()),
          completion -> then(completion, () -> writeNextTree(trees)));
      return;
    }
    Tree unplaced = context.state().tree(StoreTree.UNPLACED);
    Frozen image = unplaced.freeze(frozenState().scn());
    int half = 0;
    for (Extent extent : frozenState().places().imagePages()) {
      half += (int) extent.blocks();
    }
    half /= 2;
    Invariants.check(
        image.dirtyPages() == half, "pages of the unplaced image", image.dirtyPages(), half);
    PageWriter.write(
        pageWay(),
        image,
        PageWriter.Places.halves(frozenState().places().imagePages(), half),
        completion -> then(completion, this::writeMap));
  }

  private PageWriter.Way pageWay() {
    return new PageWriter.Way(
        context.dispatcher(), context.disk(), () -> context.urgency().ioClass());
  }

  private void writeMap() {
    become(CheckpointState.WRITING_MAP);
    toldEarly = faults.has(StoreFault.SNAPSHOT_BEFORE_CHECKPOINT);
    if (toldEarly) {
      frozenState().observers().forEach(observer -> observer.durable(roots()));
    }
    MapWriting.write(
        context,
        durable.layout(),
        frozenState().map().chunks(),
        completion -> then(completion, this::sync));
  }

  private void sync() {
    become(CheckpointState.SYNCING);
    context
        .disk()
        .submit(
            new DiskRequest.Sync(
                context.urgency().ioClass(),
                completion ->
                    then(
                        completion,
                        () -> log.barrier(logged -> then(logged, this::writeSuperblock)))));
  }

  private List<StoreRoot> roots() {
    return Roots.encode(frozenState().trees(), context.state().tree(StoreTree.UNPLACED).root());
  }

  private void writeSuperblock() {
    become(CheckpointState.WRITING_SUPERBLOCK);
    FrozenState done = frozenState();
    Superblock next =
        new Superblock(
            durable.volumeId(),
            durable.sequence() + 1,
            done.scn(),
            faults.has(StoreFault.REPLAY_POINT_TOO_LATE) ? log.replayPoint() : done.replayFrom(),
            roots(),
            done.map().seq(),
            done.map().digest(),
            durable.layout(),
            done.map().totalBlocks(),
            context.space().capBlocks(),
            done.nextSegmentId());
    superblocks.write(
        next,
        completion ->
            then(
                completion,
                () -> {
                  durable = next;
                  context.state().map().imageDurable(next.mapSequence());
                  listener.checkpointDurable(next);
                  end(Completion.done());
                }));
  }

  /**
   * Goes on, or ends the checkpoint with the failure; a store that could not write one takes no
   * more changes.
   */
  private void then(Completion<Unit> completion, Runnable next) {
    if (completion instanceof Completion.Failed<Unit> failed) {
      stop(failed.failure());
      listener.checkpointFailed(failed.failure());
      end(completion);
    } else {
      next.run();
    }
  }

  private void tellObservers(Completion<Unit> completion) {
    FrozenState frozen = frozenState;
    List<Observer> present = frozen == null ? List.copyOf(observers) : frozen.observers();
    if (frozen == null) {
      observers.clear();
    }
    boolean told = toldEarly;
    toldEarly = false;
    for (Observer observer : told ? List.<Observer>of() : present) {
      if (completion instanceof Completion.Failed<Unit>(Failure why)) {
        observer.failed(why);
      } else {
        observer.durable(durable.roots());
      }
    }
  }

  private void end(Completion<Unit> completion) {
    become(CheckpointState.IDLE);
    tellObservers(completion);
    frozenState = null;
    context
        .meters()
        .checkpointEnded(
            context.dispatcher().upcallNanos() - startedNanos,
            completion instanceof Completion.Done);
    List<CompletionPort<Unit>> done = List.copyOf(ports);
    ports.clear();
    List<CompletionPort<Unit>> again = List.copyOf(later);
    later.clear();
    again.forEach(this::request);
    context.space().checkpointEnded();
    for (CompletionPort<Unit> port : done) {
      port.complete(completion);
    }
  }
}
