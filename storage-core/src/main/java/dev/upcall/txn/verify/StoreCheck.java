package dev.upcall.txn.verify;

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
import dev.upcall.segment.layout.LayoutTrees;
import dev.upcall.segment.layout.MapTrees;
import dev.upcall.space.MapLoad;
import dev.upcall.store.SpaceUse;
import dev.upcall.store.VerifyOptions;
import dev.upcall.store.VerifyProgress;
import dev.upcall.store.VerifyReport;
import dev.upcall.tree.PageRef;
import dev.upcall.tree.PagesCheck;
import dev.upcall.tree.PositionCheck;
import dev.upcall.tree.TreeCheck;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.recovery.MapLoading;
import dev.upcall.txn.snapshot.SnapshotBits;
import dev.upcall.txn.state.Roots;
import dev.upcall.txn.state.SnapshotRecord;
import dev.upcall.txn.state.StoreContext;
import dev.upcall.txn.volume.StoreRoot;
import dev.upcall.txn.volume.Superblock;
import dev.upcall.txn.volume.VolumeLayout;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Verifies a whole store while it is open: takes a checkpoint, holds what it names, and walks from
 * its superblock over everything on the disk, one read at a time: every page of every tree in all
 * its copies, every inode, the place of all content, on demand the content itself. At the end each
 * committed block must have had exactly one owner. Then the same with each named snapshot, where
 * the blocks that it holds are what must have an owner.
 */
public final class StoreCheck extends StateMachine<StoreCheck.State> {
  /** Where a verification stands. */
  enum State {
    /** The checkpoint that will be looked at is being written. */
    CHECKPOINTING,
    /** The free-space map is being read. */
    LOADING_MAP,
    /** Trees and content are being read. */
    WALKING,
    /** What a named snapshot holds is being read. */
    LOADING_SNAPSHOT,
    /** The report was given, or why there is none. */
    DONE
  }

  public static final Transitions<State> TRANSITIONS =
      Transitions.of("StoreCheck", State.class, State.CHECKPOINTING)
          .on("checkpoint durable", State.CHECKPOINTING, State.LOADING_MAP)
          .on("map loaded", State.LOADING_MAP, State.WALKING)
          .on("closing, volume too large", State.CHECKPOINTING, State.DONE)
          .on("map unreadable", State.LOADING_MAP, State.DONE)
          .on("all seen, there is a snapshot", State.WALKING, State.LOADING_SNAPSHOT)
          .on("what it holds is known", State.LOADING_SNAPSHOT, State.WALKING)
          .on("what it holds is unreadable", State.LOADING_SNAPSHOT, State.LOADING_SNAPSHOT)
          .on("all seen, given up", State.WALKING, State.DONE)
          .on("all seen, given up", State.LOADING_SNAPSHOT, State.DONE)
          .build();

  private final StoreContext context;
  private final Source source;
  private final VerifyProgress progress;
  private final CompletionPort<VerifyReport> port;
  private final ByteBuffer page = Disk.newBuffer(Disk.BLOCK_BYTES);
  private final @Nullable ContentCheck content;
  private final ArrayDeque<StoreRoot> roots = new ArrayDeque<>();
  private final ArrayDeque<CheckedState.Run> unread = new ArrayDeque<>();
  private @Nullable Runnable unpin;
  private final ArrayDeque<Map.Entry<String, SnapshotRecord>> snapshots = new ArrayDeque<>();
  private @Nullable CheckedState live;
  private @Nullable CheckedState seen;
  private @Nullable TreeCheck tree;
  private @Nullable TreeCheck extentTree;
  private @Nullable PositionCheck mapTree;
  private CheckedPieces.@Nullable Tree mapped;

  /** What a verification needs of the engine. */
  public interface Source {
    /** Completes when a checkpoint of the present state is durable, or cannot be made. */
    void checkpoint(CompletionPort<Unit> port);

    /** The superblock that is durable. */
    Superblock durable();

    /**
     * Whether a named snapshot is still there. What one held may have been used again since it was
     * dropped, which a checkpoint before that does not know.
     */
    boolean isThere(String snapshot, SnapshotRecord record);

    /** Why to give up, or null. */
    @Nullable Failure closing();

    /** A verification has ended with this report; not called when it fails. */
    default void counted(VerifyReport report) {}

    /** A block has more owners than it may have. */
    default void disputed(long block) {}
  }

  /** Begins; must itself run as an upcall. */
  public StoreCheck(
      StoreContext context,
      Source source,
      VerifyOptions options,
      VerifyProgress progress,
      CompletionPort<VerifyReport> port) {
    super(TRANSITIONS, context.dispatcher());
    this.context = context;
    this.source = source;
    this.progress = progress;
    this.port = port;
    this.content =
        options.readContent()
            ? new ContentCheck(context.disk(), context.buffers().coding(), unread)
            : null;
  }

  /**
   * Looks at the state of a checkpoint before anything is changed, without its snapshots and
   * content. Must itself run as an upcall.
   *
   * @param disputed hears of each block that has more owners than it may have
   */
  public static void ofCheckpoint(
      StoreContext context,
      Superblock superblock,
      LongConsumer disputed,
      CompletionPort<VerifyReport> port) {
    Source source =
        new Source() {
          @Override
          public void checkpoint(CompletionPort<Unit> durable) {
            durable.complete(Completion.done());
          }

          @Override
          public Superblock durable() {
            return superblock;
          }

          @Override
          public boolean isThere(String snapshot, SnapshotRecord record) {
            return false;
          }

          @Override
          public @Nullable Failure closing() {
            return null;
          }

          @Override
          public void disputed(long block) {
            disputed.accept(block);
          }
        };
    VerifyOptions structureOnly = new VerifyOptions(/* readContent= */ false);
    new StoreCheck(context, source, structureOnly, (checked, all) -> true, port).start();
  }

  /** Starts. What is on the disk from the checkpoint on stays there until the end. */
  public void start() {
    unpin = context.state().pins().pin(context.state().scn());
    source.checkpoint(completion -> checkpointed());
  }

  /** Where no checkpoint can be made any more, the last one is looked at. */
  private void checkpointed() {
    Superblock superblock = source.durable();
    Failure closing = source.closing();
    if (closing != null) {
      end(Completion.failed(closing));
    } else if (!BlockLedger.fits(superblock.volumeBlocks())) {
      end(
          Completion.failed(
              new Failure.TooLarge(
                  "the volume, to be verified",
                  superblock.volumeBlocks() * Disk.BLOCK_BYTES,
                  (long) Integer.MAX_VALUE * Disk.BLOCK_BYTES)));
    } else {
      become(State.LOADING_MAP);
      MapLoading.load(
          context.disk(),
          superblock,
          context.state().map().config(),
          completion -> {
            switch (completion) {
              case Completion.Done<MapLoad.Loaded>(MapLoad.Loaded loaded)
                  when loaded.lacking().isEmpty() || isPresent(superblock) ->
                  walk(superblock, loaded);
              case Completion.Failed<MapLoad.Loaded> failed when isPresent(superblock) ->
                  end(failed.cast());
              default ->
                  end(
                      Completion.failed(
                          new Failure.Conflict(
                              "checkpoints overtook the verification; try again")));
            }
          });
    }
  }

  /** Whether the homes of its map were not written again meanwhile, as by the next but one. */
  private boolean isPresent(Superblock superblock) {
    return source.durable().sequence() == superblock.sequence();
  }

  private void walk(Superblock superblock, MapLoad.Loaded map) {
    VolumeLayout layout = superblock.layout();
    CheckedState state =
        new CheckedState(
            new CheckedState.Base(superblock.scn(), superblock.features()),
            new BlockLedger(BlockLedger.of(map.map()), layout.dataStart(), source::disputed),
            unread);
    for (MapLoad.Lack lack : map.lacking()) {
      state
          .ledger()
          .problem(
              layout.mapStart(lack.copy()) + lack.homeBlock(),
              "a copy of the free-space map is damaged");
    }
    long there = context.disk().sizeBlocks();
    // A checkpoint since then may have made the volume shorter, and its file with it.
    long wanted = Math.min(superblock.volumeBlocks(), source.durable().volumeBlocks());
    if (there < wanted) {
      state
          .ledger()
          .problem(there, "the file is cut short: %d blocks are missing".formatted(wanted - there));
    }
    live = state;
    walk(state, superblock.roots());
  }

  private void walk(CheckedState state, List<StoreRoot> of) {
    become(State.WALKING);
    seen = state;
    tree = null;
    // What is shared and the inodes first: the others name them.
    List<StoreRoot> ordered = new ArrayList<>(of);
    ordered.sort(Comparator.comparingInt(StoreCheck::turn));
    roots.addAll(ordered);
    next();
  }

  private static int turn(StoreRoot root) {
    return switch (StoreTree.of(root.treeId())) {
      case SHARED -> 0;
      case INODES -> 1;
      case NAMES, ORPHANS, UNPLACED, PROPERTIES, SNAPSHOTS, EXPIRY -> 2;
      // Behind the inodes, and the orphans of tables.
      case ENTRIES, CONTENTS -> 3;
    };
  }

  private CheckedState seen() {
    return Invariants.present(seen, "what the check has seen");
  }

  /** One step: the next thing that has to be read. */
  private void next() {
    Failure closing = source.closing();
    if (closing != null) {
      end(Completion.failed(closing));
      return;
    }
    BlockLedger ledger = seen().ledger();
    if (!progress.reached(ledger.ownedBlocks(), ledger.committedBlocks())) {
      end(Completion.failed(new Failure.Cancelled("verification")));
      return;
    }
    CheckedState.Run run = unread.poll();
    if (run != null) {
      ContentCheck reading = content;
      if (reading == null || !reading.begin(run, seen().ledger(), this::next)) {
        context.dispatcher().post(this::next);
      }
      return;
    }
    if (stepMap()) {
      return;
    }
    TreeCheck inner = extentTree;
    if (inner == null) {
      CheckedState.Indexed indexed = seen().nextIndexed();
      if (indexed != null) {
        inner = newCheck(LayoutTrees.TREE_ID, indexed.root(), seen().extentTree(indexed));
        extentTree = inner;
      }
    }
    if (inner != null) {
      if (!readPage(inner)) {
        extentTree = null;
        context.dispatcher().post(this::next);
      }
      return;
    }
    TreeCheck outer = tree;
    if (outer == null || !readPage(outer)) {
      nextTree();
    }
  }

  /** One step of the tree of a map; false if there is none to look at. */
  private boolean stepMap() {
    CheckedPieces.Tree of = mapped;
    PositionCheck check = mapTree;
    if (of == null || check == null) {
      of = seen().nextFolded();
      if (of == null) {
        return false;
      }
      check =
          new PositionCheck(
              context.state().treeConfig(),
              MapTrees.TREE_ID,
              of.root(),
              of.bytes(),
              seen().mapTree(of));
      mapped = of;
      mapTree = check;
    }
    if (!readPage(check)) {
      mapTree = null;
      mapped = null;
      seen().walked(of);
      context.dispatcher().post(this::next);
    }
    return true;
  }

  private void nextTree() {
    StoreRoot root = roots.poll();
    if (root == null) {
      seen().walked();
      seen().ledger().findUnused();
      inParts(0, seen().ledger()::findLost, this::allSeen);
      return;
    }
    tree = newCheck(root.treeId(), Roots.decode(root), seen().tree(StoreTree.of(root.treeId())));
    context.dispatcher().post(this::next);
  }

  /**
   * Looks at all blocks of the volume, some in each upcall.
   *
   * @param part takes the first block to look at; gives the next, or {@link BlockLedger#END}
   */
  private void inParts(long from, LongUnaryOperator part, Runnable then) {
    long next = part.applyAsLong(from);
    Failure closing = source.closing();
    if (next == BlockLedger.END) {
      then.run();
    } else if (closing != null) {
      end(Completion.failed(closing));
    } else {
      context.dispatcher().post(() -> inParts(next, part, then));
    }
  }

  private void allSeen() {
    if (seen == live) {
      for (Map.Entry<String, SnapshotRecord> each : seen().snapshots()) {
        if (source.isThere(each.getKey(), each.getValue())) {
          snapshots.add(each);
        }
      }
    }
    nextSnapshot();
  }

  /** A snapshot is a whole store, too: each block that it holds has exactly one owner in it. */
  private void nextSnapshot() {
    CheckedState whole = Invariants.present(live, "the state itself");
    Map.Entry<String, SnapshotRecord> next = snapshots.poll();
    if (next == null) {
      SpaceUse use = whole.space(whole.ledger().kept());
      VerifyReport report = whole.report(content == null ? 0 : content.blocksRead(), use);
      source.counted(report);
      end(Completion.done(report));
      return;
    }
    become(State.LOADING_SNAPSHOT);
    SnapshotRecord record = next.getValue();
    SnapshotBits.check(
        context.disk(),
        record,
        context.state().map().config(),
        (block, what) -> whole.ledger().problem(block, "snapshot " + next.getKey() + ": " + what),
        CompletionPort.of(
            held -> {
              BlockLedger.Committed blocks = BlockLedger.of(held, record.volumeBlocks());
              inParts(
                  0,
                  from -> whole.ledger().keep(blocks, from),
                  () -> walkSnapshot(next.getKey(), record, blocks));
            },
            failure -> nextSnapshot()));
  }

  private void walkSnapshot(String name, SnapshotRecord record, BlockLedger.Committed blocks) {
    BlockLedger ledger =
        Invariants.present(live, "the state itself").ledger().ofSnapshot(name, blocks);
    long features = source.durable().features();
    walk(
        new CheckedState(new CheckedState.Base(record.scn(), features), ledger, unread),
        record.roots());
  }

  private TreeCheck newCheck(int treeId, @Nullable PageRef root, TreeCheck.Visitor visitor) {
    return new TreeCheck(context.state().treeConfig(), treeId, root, visitor);
  }

  /** Reads the page that a check wants; false at its end. */
  private boolean readPage(PagesCheck<?> check) {
    long block = check.nextBlock();
    if (block == PagesCheck.END) {
      for (PagesCheck.Problem problem : check.problems()) {
        seen().ledger().problem(problem.block(), problem.what());
      }
      return false;
    }
    page.clear();
    read(
        block,
        page,
        failure -> {
          if (failure == null) {
            check.accept(page);
          } else {
            check.acceptUnreadable(failure.message());
          }
          next();
        });
    return true;
  }

  private void read(long block, ByteBuffer into, Consumer<@Nullable Failure> then) {
    context
        .disk()
        .submit(
            new DiskRequest.Read(
                block,
                List.of(into),
                IoClass.BACKGROUND,
                completion ->
                    then.accept(
                        completion instanceof Completion.Failed<Unit> failed
                            ? failed.failure()
                            : null)));
  }

  private void end(Completion<VerifyReport> completion) {
    become(State.DONE);
    Runnable pinned = unpin;
    if (pinned != null) {
      pinned.run();
    }
    port.complete(completion);
  }
}
