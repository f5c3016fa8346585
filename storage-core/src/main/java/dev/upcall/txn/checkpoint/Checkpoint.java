package dev.upcall.txn.checkpoint;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.Faults;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.seal.KeySlots;
import dev.upcall.pressure.Scarce;
import dev.upcall.segment.paging.PageBuffers;
import dev.upcall.segment.paging.PageWriter;
import dev.upcall.space.Extent;
import dev.upcall.space.MapImage;
import dev.upcall.tree.Frozen;
import dev.upcall.tree.Tree;
import dev.upcall.txn.EditFault;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.log.CommitLog;
import dev.upcall.txn.state.Roots;
import dev.upcall.txn.state.StoreContext;
import dev.upcall.txn.state.StoreFault;
import dev.upcall.txn.state.StoreState;
import dev.upcall.txn.volume.LogPoint;
import dev.upcall.txn.volume.StoreFeature;
import dev.upcall.txn.volume.StoreRoot;
import dev.upcall.txn.volume.Superblock;
import dev.upcall.txn.volume.Superblocks;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the state as of one SCN durable in its place, so that the log before it is no longer
 * needed, while requests go on. At the freeze, one upcall, the trees are frozen, all blocks that
 * the checkpoint will write are allocated, and the image of the free-space map begins with them;
 * everything after only writes.
 */
public final class Checkpoint extends StateMachine<Checkpoint.State> {
  /** Where a checkpoint stands. */
  enum State {
    /** None is running. */
    IDLE,
    /** Unplaced content gets its place, by ordinary changes. */
    PLACING,
    /** Everything is frozen; what is still unplaced is being written as an image. */
    WRITING_IMAGE,
    /** Dirty pages of the frozen trees are being written. */
    WRITING_PAGES,
    /** Changed chunks of the free-space map are being written. */
    WRITING_MAP,
    /** All that was written is being made durable, and the log up to the freeze with it. */
    SYNCING,
    /** The superblock copies are being written. */
    WRITING_SUPERBLOCK
  }

  public static final Transitions<State> TRANSITIONS =
      Transitions.of("Checkpoint", State.class, State.IDLE)
          .on("start", State.IDLE, State.PLACING)
          .on("placed, frozen", State.PLACING, State.WRITING_IMAGE)
          .on("image written", State.WRITING_IMAGE, State.WRITING_PAGES)
          .on("pages written", State.WRITING_PAGES, State.WRITING_MAP)
          .on("map written", State.WRITING_MAP, State.SYNCING)
          .on("synced, log durable", State.SYNCING, State.WRITING_SUPERBLOCK)
          .on("superblock durable", State.WRITING_SUPERBLOCK, State.IDLE)
          .on("no space", State.PLACING, State.IDLE)
          .on("write failed", State.WRITING_IMAGE, State.IDLE)
          .on("write failed", State.WRITING_PAGES, State.IDLE)
          .on("write failed", State.WRITING_MAP, State.IDLE)
          .on("sync failed", State.SYNCING, State.IDLE)
          .on("write failed", State.WRITING_SUPERBLOCK, State.IDLE)
          .build();

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
  private long wantedFeatures;
  @Nullable KeySlots wantedKeys; // null: those of the durable superblock
  private final Faults faults;
  private boolean startPosted;
  private final PageWriter.Way pageWay;
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
      CheckpointPlaces places,
      MapImage map,
      List<Observer> observers,
      long nextSegmentId) {}

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
    context.state().keepEntriesOnce(uses(StoreFeature.SINGLE_LEAVES));
    this.pageWay =
        new PageWriter.Way(
            context.dispatcher(),
            context.disk(),
            context.pressure()::ioClass,
            new PageBuffers(),
            () -> context.pressure().changed(Scarce.PAGES));
  }

  public boolean isRunning() {
    return state() != State.IDLE || startPosted;
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
    Dispatcher dispatcher = context.dispatcher();
    CompletionPort<Unit> waiting = dispatcher.recorder().waiting(port);
    if (state() != State.IDLE) {
      later.add(waiting);
      return;
    }
    ports.add(waiting);
    if (!startPosted) {
      startPosted = true;
      dispatcher.recorder().inBackground("checkpoint", () -> dispatcher.post(this::start));
    }
  }

  /** Whether the durable superblock says that the volume uses a feature. */
  public boolean uses(StoreFeature feature) {
    return feature.isIn(durable.features()) || faults.has(EditFault.FEATURE_NOT_SAID);
  }

  /**
   * Completes when the durable superblock says that the volume uses a feature: at once, but for the
   * first time, which takes a checkpoint.
   */
  public void use(StoreFeature feature, CompletionPort<Unit> port) {
    if (uses(feature)) {
      context.dispatcher().complete(port, Completion.done());
      return;
    }
    wantedFeatures |= feature.bit();
    request(
        port.then(
            done -> {
              Invariants.check(
                  feature.isIn(durable.features()), "checkpoint without feature", feature);
              port.complete(Completion.done());
            }));
  }

  /** Makes a checkpoint before a observer; with one that has not frozen yet, if there is one. */
  public void request(Observer observer) {
    observers.add(observer);
    if (state() != State.PLACING) {
      request(completion -> {});
    }
  }

  private void start() {
    startPosted = false;
    startedNanos = context.dispatcher().upcallNanos();
    become(State.PLACING);
    // What write-back could not place, for want of log or space, goes into the image.
    PlacingRounds.run(context, writeBack, this::freeze);
  }

  private void freeze() {
    Failure failure = broken;
    if (failure != null) {
      end(Completion.failed(failure));
      return;
    }
    StoreState state = context.state();
    long scn = state.scn();
    Invariants.check(frozenState == null, "freeze while another is being written", scn);
    Invariants.check(scn >= durable.scn(), "freeze before the durable SCN", scn, durable.scn());
    // Content first: from here on its leases keep what a later change overwrites.
    UnplacedImage image = new UnplacedImage(context);
    if (!faults.has(StoreFault.UNPLACED_IMAGE_SKIPPED)) {
      image.takeAll();
    }
    // Before anything is allocated: only a frozen tree says for good how many pages it will write.
    List<Frozen> trees = new ArrayList<>();
    for (StoreTree tree : StoreTree.FROZEN) {
      trees.add(state.tree(tree).freeze(scn, state.hasLeavesOnce(tree)));
    }
    // The promise was made for what is allocated next, which would leave promised blocks alone.
    state.map().unreserve(state.map().promisedBlocks());
    CheckpointPlaces places = CheckpointPlaces.allocate(state, image, trees);
    if (places == null) {
      image.releaseAll();
      // Promised again in this upcall: whoever runs next could else take the blocks for good.
      state.settlePromise();
      noRoom(image.blocks() + CheckpointPlaces.pageBlocks(trees));
      return;
    }
    // Freed before the map's image, or a crash would leave blocks committed that nobody owns; not
    // handed out before the superblock, since the durable checkpoint still needs them, also if it
    // has the same SCN.
    imageExtents.forEach(state.map()::retire);
    imageExtents = new ArrayList<>(places.image());
    imageExtents.addAll(places.imagePages());
    // After all that this checkpoint allocates and frees: nothing of it is in the log. What changes
    // from here on until its chunk is written is not in the image.
    MapImage map = state.map().image(durable.mapSequence() + 1);
    if (faults.has(StoreFault.MAP_IMAGE_FOLLOWS_CHANGES)) {
      map.followChanges();
    }
    if (faults.has(StoreFault.RELEASE_AT_FREEZE)) {
      state.map().release(scn);
    }
    // Before anybody else can allocate: from here on the promise is to the next checkpoint.
    state.settlePromise();
    LogPoint replayFrom = log.replayPoint();
    long durableLog = durable.log().position();
    Invariants.check(
        replayFrom.position() >= durableLog, "log start", replayFrom.position(), durableLog);
    // Taken now, so that whoever asks for the next freeze from here on does not join this one.
    List<Observer> present = List.copyOf(observers);
    observers.clear();
    // Records of this state that wait for a batch lie behind the log start; recovery skips them by
    // their SCN. A later log start would skip records that the state does not have.
    frozenState =
        new FrozenState(scn, replayFrom, trees, places, map, present, state.nextSegmentId());
    become(State.WRITING_IMAGE);
    // After the map's image and in its upcall: what an observer copies of the map is the image.
    present.forEach(observer -> observer.frozen(scn, map.seq()));
    // An empty tree, not the old one edited: the pages of that were freed above, with its blocks.
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

  private FrozenState frozenState() {
    return Invariants.present(frozenState, "what the freeze fixed");
  }

  private void writePages() {
    become(State.WRITING_PAGES);
    ArrayDeque<Frozen> trees = new ArrayDeque<>(frozenState().trees());
    writeNextTree(trees);
  }

  private void writeNextTree(ArrayDeque<Frozen> trees) {
    Frozen frozen = trees.poll();
    if (frozen != null) {
      long scn = frozenState().scn();
      Invariants.check(frozen.scn() == scn, "tree of another freeze", frozen.scn(), scn);
      CheckpointPlaces places = frozenState().places();
      PageWriter.write(
          pageWay,
          frozen,
          new PageWriter.Places(places.copyA(), places.copyB()),
          completion -> then(completion, () -> writeNextTree(trees)));
      return;
    }
    frozenState().places().checkUsedUp();
    // After its blocks: only once they are written does the tree know their checksums.
    Tree unplaced = context.state().tree(StoreTree.UNPLACED);
    Frozen image = unplaced.freeze(frozenState().scn());
    List<Extent> places = frozenState().places().imagePages();
    int half = (int) places.stream().mapToLong(Extent::blocks).sum() / 2;
    Invariants.check(
        image.dirtyPages() == half, "pages of the unplaced image", image.dirtyPages(), half);
    PageWriter.write(
        pageWay,
        image,
        PageWriter.Places.halves(places, half),
        completion -> then(completion, this::writeMap));
  }

  private void writeMap() {
    become(State.WRITING_MAP);
    toldEarly = faults.has(StoreFault.SNAPSHOT_BEFORE_CHECKPOINT);
    if (toldEarly) {
      frozenState().observers().forEach(observer -> observer.durable(roots()));
    }
    // Into the homes that the durable image does not use: until the superblock that one counts.
    MapWriting.write(
        context, durable.layout(), frozenState().map(), completion -> then(completion, this::sync));
  }

  private void sync() {
    become(State.SYNCING);
    // One sync for all that the superblock will name, so it begins when the last write has ended.
    // Then the log: a change whose record is lost fails, so no superblock may show it.
    context
        .disk()
        .submit(
            new DiskRequest.Sync(
                context.pressure().ioClass(),
                completion ->
                    then(completion, () -> log.barrier(logged -> then(logged, this::lookAgain)))));
  }

  /** A superblock in a file that nobody finds, or that has lost its end, promises too much. */
  private void lookAgain() {
    context
        .disk()
        .submit(
            new DiskRequest.Stat(
                context.pressure().ioClass(), found -> then(found, this::writeSuperblock)));
  }

  private List<StoreRoot> roots() {
    return Roots.encode(frozenState().trees(), context.state().tree(StoreTree.UNPLACED).root());
  }

  private void writeSuperblock() {
    become(State.WRITING_SUPERBLOCK);
    FrozenState done = frozenState();
    Invariants.check(
        log.durableScn() >= done.scn(), "log behind the freeze", log.durableScn(), done.scn());
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
            done.nextSegmentId(),
            durable.features() | wantedFeatures,
            wantedKeys == null ? durable.keySlots() : wantedKeys);
    next.checkFollows(durable);
    superblocks.write(
        next,
        next.keySlots().equals(durable.keySlots()) ? Faults.NONE : faults,
        completion ->
            then(
                completion,
                () -> {
                  // First what is durable, since all who are told below ask for it.
                  durable = next;
                  context.state().keepEntriesOnce(uses(StoreFeature.SINGLE_LEAVES));
                  context.state().map().imageDurable(next.mapSequence(), next.scn());
                  // Only now may anything be used again that the superblock before needed.
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
      // Before anybody hears of it and asks for another one.
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
    Invariants.check(!startPosted, "end of a checkpoint with another one posted", startedNanos);
    become(State.IDLE);
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
    // Before those who have waited are told: what they ask for then comes with the next one.
    again.forEach(this::request);
    if (!faults.has(StoreFault.WAITERS_NOT_TOLD)) {
      context.space().checkpointEnded();
    }
    for (CompletionPort<Unit> port : done) {
      port.complete(completion);
    }
  }
}
