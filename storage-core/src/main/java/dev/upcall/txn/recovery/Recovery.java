package dev.upcall.txn.recovery;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import dev.upcall.io.Disk;
import dev.upcall.io.seal.Seal;
import dev.upcall.space.Extent;
import dev.upcall.space.FreeMap;
import dev.upcall.space.FreeMapConfig;
import dev.upcall.space.MapLoad;
import dev.upcall.store.OpeningReport;
import dev.upcall.store.VerifyReport;
import dev.upcall.tree.PageRef;
import dev.upcall.txn.StoreOptions;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.View;
import dev.upcall.txn.checkpoint.Checkpoint;
import dev.upcall.txn.log.LogEnvironment;
import dev.upcall.txn.log.LogScan;
import dev.upcall.txn.log.LogState;
import dev.upcall.txn.snapshot.QueryRun;
import dev.upcall.txn.state.LiveView;
import dev.upcall.txn.state.Roots;
import dev.upcall.txn.state.StoreContext;
import dev.upcall.txn.state.StoreState;
import dev.upcall.txn.state.StoredSnapshot;
import dev.upcall.txn.volume.StoreRoot;
import dev.upcall.txn.volume.Superblock;
import dev.upcall.txn.volume.Superblocks;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Opens a volume: newest superblock, free-space map, content that was unplaced at its checkpoint,
 * then the log behind it, then what named snapshots hold. Takes as long as the log is, and as the
 * volume's size makes the maps, not as the store is. Allocates nothing on the volume. Where the
 * store is only to be read it changes nothing at all, does without what nobody needs to read, takes
 * damage of the log for its end, and tells what it has found.
 */
public final class Recovery extends StateMachine<Recovery.State> {
  /** Where the opening of a store stands. */
  enum State {
    /** Nothing was read yet. */
    NEW,
    /** The newest superblock is being found. */
    READING_SUPERBLOCK,
    /** The key is being tried that all but the superblocks is encrypted with. */
    UNSEALING,
    /** The free-space map is being read. */
    LOADING_MAP,
    /** The root of each tree is being read: without it nothing can be done. */
    LOADING_ROOTS,
    /** Content that was unplaced at the checkpoint comes back into memory. */
    LOADING_UNPLACED,
    /** The log behind the checkpoint is applied again, record by record. */
    REPLAYING,
    /** What the named snapshots hold is being read. */
    LOADING_SNAPSHOTS,
    /** Whoever opens the store looks for what it cannot do without. */
    LOOKING,
    /** The volume opens: all copies of the superblock are made to lead to the newest state. */
    HEALING,
    /** The volume's epoch is raised: whoever had it open before writes nothing any more. */
    TAKING_OVER,
    /** The state is what was acknowledged. */
    DONE,
    /** The volume cannot be opened. */
    FAILED
  }

  public static final Transitions<State> TRANSITIONS =
      Transitions.of("Recovery", State.class, State.NEW)
          .on("open", State.NEW, State.READING_SUPERBLOCK)
          .on("superblock found", State.READING_SUPERBLOCK, State.LOADING_MAP)
          .on("sealed, and there is a key", State.READING_SUPERBLOCK, State.UNSEALING)
          .on("unsealed", State.UNSEALING, State.LOADING_MAP)
          .on("map loaded", State.LOADING_MAP, State.LOADING_ROOTS)
          .on("opened to read only", State.LOADING_MAP, State.LOADING_UNPLACED)
          .on("roots loaded", State.LOADING_ROOTS, State.LOADING_UNPLACED)
          .on("content loaded", State.LOADING_UNPLACED, State.REPLAYING)
          .on("end of the log", State.REPLAYING, State.LOADING_SNAPSHOTS)
          .on("snapshots loaded", State.LOADING_SNAPSHOTS, State.LOOKING)
          .on("opened to read only", State.LOADING_SNAPSHOTS, State.DONE)
          .on("first look made", State.LOOKING, State.HEALING)
          .on("healed", State.HEALING, State.TAKING_OVER)
          .on("epoch raised", State.TAKING_OVER, State.DONE)
          .on("no volume, damaged, truncated", State.READING_SUPERBLOCK, State.FAILED)
          .on("another key", State.UNSEALING, State.FAILED)
          .on("map damaged", State.LOADING_MAP, State.FAILED)
          .on("root damaged, or the page of another", State.LOADING_ROOTS, State.FAILED)
          .on("image damaged", State.LOADING_UNPLACED, State.FAILED)
          .on("log or pages damaged", State.REPLAYING, State.FAILED)
          .on("snapshot damaged", State.LOADING_SNAPSHOTS, State.FAILED)
          .on("first look refused", State.LOOKING, State.FAILED)
          .on("the device refuses", State.HEALING, State.FAILED)
          .on("the device refuses", State.TAKING_OVER, State.FAILED)
          .build();

  /** Blocks, 16 MiB: with more, a delete would be no surer, since it gives back as it goes on. */
  private static final long MAX_EMERGENCY_BLOCKS = 4096;

  private final Dispatcher dispatcher;
  private final Disk disk;
  private final StoreOptions options;
  private final Parts parts;
  private final Superblocks superblocks;
  private final CompletionPort<Recovered> port;
  private @Nullable Superblock superblock;
  private @Nullable StoreContext context;
  private List<Extent> imageExtents = List.of();
  private final Findings findings = new Findings();
  private boolean spaceIsUnknown;
  private @Nullable ReplayAhead replaying;

  /** Makes what recovery fills, and what it asks for. */
  public interface Parts {
    /**
     * The parts of a store that all its machines will share, with an empty state.
     *
     * @param map the free space as of the superblock
     * @param capBlocks what the volume may grow to
     */
    StoreContext over(Superblock superblock, FreeMap map, long capBlocks);

    /**
     * Walks over all that a superblock names, without content.
     *
     * @param disputed hears of each block that has more owners than it may have
     */
    void findOwners(
        StoreContext context,
        Superblock superblock,
        LongConsumer disputed,
        CompletionPort<VerifyReport> port);
  }

  /**
   * A store as it was acknowledged.
   *
   * @param context its parts
   * @param log where the log goes on
   * @param base where the next checkpoint starts from
   * @param snapshots those with names, oldest first
   * @param readOnly why it takes no changes, or null
   * @param opening what was found
   */
  public record Recovered(
      StoreContext context,
      LogState log,
      Checkpoint.Base base,
      List<StoredSnapshot> snapshots,
      Failure.@Nullable ReadOnly readOnly,
      OpeningReport opening) {}

  private Recovery(
      Dispatcher dispatcher,
      Disk disk,
      StoreOptions options,
      Parts parts,
      CompletionPort<Recovered> port) {
    super(TRANSITIONS, dispatcher);
    this.dispatcher = dispatcher;
    this.disk = disk;
    this.options = options;
    this.parts = parts;
    this.superblocks = new Superblocks(dispatcher, disk);
    this.port = port;
  }

  /**
   * Opens the volume on a disk, to which nothing can be written if it is only to be read. Failures:
   * as those of {@code Stores.open}.
   */
  public static void run(
      Dispatcher dispatcher,
      Disk disk,
      StoreOptions options,
      Parts parts,
      CompletionPort<Recovered> port) {
    Recovery recovery = new Recovery(dispatcher, disk, options, parts, port);
    dispatcher.post(recovery::readSuperblock);
  }

  private void readSuperblock() {
    become(State.READING_SUPERBLOCK);
    superblocks.read(Roots::unsound, then(this::check));
  }

  private void check(Superblock found) {
    if (superblocks.isFrontForeign()) {
      String overwritten =
          "the first blocks of %s hold something else; a superblock of an Upcall volume was found behind it"
              .formatted(disk.name());
      if (!options.readOnly() && !options.frontLost()) {
        fail(
            new Failure.Invalid(
                overwritten
                    + ", and it may be the rest of a store that was given up: it was left as it is,"
                    + " and opens read-only; \"upcall checkpoint --front-lost\""
                    + " (Upcall.restoreFront) makes it a store again, and destroys what is there"
                    + " now"));
        return;
      }
      findings.add(overwritten);
    } else if (!superblocks.gone().isEmpty()) {
      String gone =
          "of the four copies of the superblock of %s there is something else in the places of %s"
              .formatted(disk.name(), superblocks.gone());
      findings.add(options.readOnly() ? gone : gone + "; they are made anew");
    }
    if (disk.sizeBlocks() < found.volumeBlocks()) {
      String cut =
          "%s is cut short: it has %d bytes, its superblock says %d"
              .formatted(
                  disk.name(),
                  disk.sizeBlocks() * Disk.BLOCK_BYTES,
                  found.volumeBlocks() * Disk.BLOCK_BYTES);
      if (!options.readOnly()) {
        fail(new Failure.Invalid(cut + "; restore the rest of the file, or open it read-only"));
        return;
      }
      if (disk.sizeBlocks() < found.layout().dataStart()) {
        fail(new Failure.Invalid(cut + "; nothing of the content is left"));
        return;
      }
      findings.add(cut);
    }
    superblock = found;
    Seal seal = options.seal();
    if (found.isSealed() == (seal == null)) {
      fail(Seal.refusal(disk.name(), found.isSealed()));
    } else if (seal == null) {
      loadMap(found);
    } else {
      become(State.UNSEALING);
      long back = found.layout().superblock(2);
      seal.open(dispatcher, disk.name(), found.keySlots(), back, then(opened -> loadMap(found)));
    }
  }

  private void loadMap(Superblock found) {
    become(State.LOADING_MAP);
    MapLoading.load(
        disk,
        found,
        mapConfig(found),
        completion -> {
          switch (completion) {
            case Completion.Failed<MapLoad.Loaded>(Failure why) when options.readOnly() ->
                buildWithoutMap(found, why.message());
            case Completion.Failed<MapLoad.Loaded>(Failure why) -> fail(why);
            case Completion.Done<MapLoad.Loaded>(MapLoad.Loaded loaded) ->
                buildWith(found, loaded.map());
          }
        });
  }

  private void buildWith(Superblock found, FreeMap map) {
    // What a hostile superblock names as a page would else be given to the next one, or freed
    // twice.
    for (StoreRoot root : found.roots()) {
      PageRef page = Roots.decode(root);
      LongStream blocks = page == null ? LongStream.empty() : Arrays.stream(page.blocks());
      OptionalLong free = blocks.filter(block -> !map.isCommitted(new Extent(block, 1))).findAny();
      if (page != null && free.isPresent()) {
        Failure hostile =
            RootLoading.corrupt(
                disk.name(),
                free.getAsLong(),
                RootLoading.structure(
                    StoreTree.of(root.treeId()), page, "of which one is free by the map"));
        if (options.readOnly()) {
          buildWithoutMap(found, hostile.message());
        } else {
          fail(hostile);
        }
        return;
      }
    }
    build(found, map);
  }

  private void buildWithoutMap(Superblock found, String why) {
    findings.add(why);
    spaceIsUnknown = true;
    build(found, new FreeMap(mapConfig(found), found.volumeBlocks()));
  }

  private FreeMapConfig mapConfig(Superblock found) {
    return new FreeMapConfig(
        found.volumeId(),
        Disk.BLOCK_BYTES,
        found.layout().dataStart(),
        found.layout().mapChunkBlocks(),
        MAX_EMERGENCY_BLOCKS);
  }

  private long capBlocks(Superblock found) {
    long wanted = options.capBlocks() == 0 ? found.capBlocks() : options.capBlocks();
    return Math.clamp(wanted, sizeBlocks(found), found.layout().maxBlocks());
  }

  /**
   * The volume's size: its file's, which a growth or a cut that no superblock knows of yet has left
   * longer than the superblock says.
   */
  private long sizeBlocks(Superblock found) {
    long inFile = Math.min(disk.sizeBlocks(), found.layout().maxBlocks());
    return Math.max(found.volumeBlocks(), inFile);
  }

  private void build(Superblock found, FreeMap map) {
    // Before the replay: the log may name blocks of a growth that no superblock knows of.
    map.grow(sizeBlocks(found));
    StoreContext built = parts.over(found, map, capBlocks(found));
    StoreState state = built.state();
    if (spaceIsUnknown) {
      state.forgetSpace();
    }
    state.begin(found.scn(), found.nextInodeId());
    for (StoreRoot root : found.roots()) {
      state.openTree(StoreTree.of(root.treeId()), Roots.decode(root));
    }
    context = built;
    // Before the first content is loaded: who then waits for memory must be noticed.
    built.buffers().onPressure(this::needsMore);
    if (options.readOnly()) {
      loadUnplaced(found, built);
    } else {
      become(State.LOADING_ROOTS);
      new RootLoading(built, found, parts, then(done -> loadUnplaced(found, built))).next();
    }
  }

  private void loadUnplaced(Superblock found, StoreContext built) {
    // Before the replay, whose records write over parts of it and name the places of others.
    become(State.LOADING_UNPLACED);
    new UnplacedLoading(
            built,
            then(
                extents -> {
                  imageExtents = extents;
                  replay(found, built);
                }))
        .next();
  }

  private void replay(Superblock found, StoreContext built) {
    if (state() == State.FAILED) {
      return;
    }
    long scn = built.state().scn();
    Invariants.check(scn == found.scn(), "replay begins at another SCN", scn, found.scn());
    become(State.REPLAYING);
    LogEnvironment environment =
        new LogEnvironment(dispatcher, disk, found.layout(), found.volumeId(), built.faults());
    LogScan scan = new LogScan(environment, found.log(), found.scn());
    if (options.readOnly()) {
      scan.endAtDamage();
    }
    Replay replay = new Replay(built, options.readOnly() ? found.layout().maxBlocks() : 0);
    CompletionPort<LogState> whenDone = then(log -> replayed(scan, log));
    ReplayAhead ahead = new ReplayAhead(built, scan, replay, whenDone);
    replaying = ahead;
    ahead.next();
  }

  private void replayed(LogScan scan, LogState log) {
    if (state() == State.FAILED) {
      return;
    }
    ReplayAhead replay = Invariants.present(replaying, "the replay");
    findings.ofLost(replay.lostLeaves());
    if (options.readOnly()) {
      Failure stop = replay.stoppedBy();
      findings.ofLog(scan.damage(), stop, scan.endsInTraces());
      long named = Invariants.present(context, "the parts").state().map().totalBlocks();
      if (named > sizeBlocks(Invariants.present(superblock, "the superblock"))) {
        findings.add(
            "%s is cut short: it has %d bytes, its log puts content up to byte %d"
                .formatted(
                    disk.name(), disk.sizeBlocks() * Disk.BLOCK_BYTES, named * Disk.BLOCK_BYTES));
      }
    }
    loadSnapshots(log);
  }

  /** What they hold is known only now: the log may have made and dropped some. */
  private void loadSnapshots(LogState log) {
    become(State.LOADING_SNAPSHOTS);
    new SnapshotLoading(
            Invariants.present(context, "the parts of the store"),
            options.readOnly() ? findings : null,
            then(snapshots -> snapshotsLoaded(log, snapshots)))
        .next();
  }

  private void snapshotsLoaded(LogState log, List<StoredSnapshot> snapshots) {
    if (findings.isOlder()) {
      new NewestChange(
              Invariants.present(context, "the parts of the store"),
              changedNanos -> end(log, snapshots, changedNanos))
          .next();
    } else if (options.readOnly()) {
      end(log, snapshots, /* changedNanos= */ 0);
    } else {
      become(State.LOOKING);
      lookFirst(() -> heal(log, snapshots));
    }
  }

  /** Whoever opens the store would else refuse it when it has begun to change the volume. */
  private void lookFirst(Runnable then) {
    StoreContext built = Invariants.present(context, "the parts of the store");
    View view = new LiveView(built.state(), dispatcher.clock());
    CompletionPort<Unit> seen = then(found -> then.run());
    new QueryRun<>(built, view, options.firstLook(), seen).run();
  }

  /** Nothing was changed before; from here on the volume is one that opens. */
  private void heal(LogState log, List<StoredSnapshot> snapshots) {
    become(State.HEALING);
    superblocks.heal(then(done -> takeOver(log, snapshots)));
  }

  private void takeOver(LogState log, List<StoredSnapshot> snapshots) {
    become(State.TAKING_OVER);
    superblocks.raise(
        then(
            raised -> {
              superblock = raised;
              end(log, snapshots, /* changedNanos= */ 0);
            }));
  }

  private void end(LogState log, List<StoredSnapshot> snapshots, long changedNanos) {
    StoreContext built = Invariants.present(context, "the parts of the store");
    Superblock found = Invariants.present(superblock, "the superblock");
    FreeMap map = built.state().map();
    Invariants.check(map.handedOutBlocks() == 0, "blocks handed out", map.handedOutBlocks());
    Invariants.check(map.promisedBlocks() == 0, "blocks promised", map.promisedBlocks());
    long scn = built.state().scn();
    Invariants.check(scn <= log.lastScn(), "state newer than the log", scn, log.lastScn());
    Invariants.check(
        log.trimmedPosition() == found.log().position(),
        "log start",
        log.trimmedPosition(),
        found.log().position());
    // What is free may be a hole, or have no room yet: nobody has kept account of that.
    map.unbacked().doubtAll();
    // Last, with all that is dirty and unplaced known; nothing can be allocated before.
    built.state().settlePromise();
    become(State.DONE);
    port.complete(
        Completion.done(
            new Recovered(
                built,
                log,
                new Checkpoint.Base(found, imageExtents),
                snapshots,
                options.readOnly() ? findings.readOnly() : null,
                findings.report(scn, changedNanos))));
  }

  /** Nothing can be placed before the log is replayed: who waits for memory now waits for ever. */
  private void needsMore() {
    fail(
        new Failure.Invalid(
            "%s cannot be opened with %d bytes of memory for content: more than that is waiting to be placed; give it more"
                .formatted(disk.name(), options.config().buffers().budgetBytes())));
  }

  /** A step of the way, whose failure is that of the recovery. */
  private <T> CompletionPort<T> then(Consumer<? super T> step) {
    return CompletionPort.of(step, this::fail);
  }

  private void fail(Failure failure) {
    if (state() == State.FAILED) {
      return;
    }
    become(State.FAILED);
    StoreContext built = context;
    if (built != null) {
      built.state().segments().clear();
    }
    port.complete(Completion.failed(failure));
  }
}
