package dev.upcall.txn.change;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.Kind;
import dev.upcall.fsm.Faults;
import dev.upcall.fsm.HeapBudget;
import dev.upcall.fsm.OnBehalf;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import dev.upcall.pressure.Scarce;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.InodeCodec;
import dev.upcall.segment.layout.TreeKeys;
import dev.upcall.segment.space.SpaceManager;
import dev.upcall.space.Reserve;
import dev.upcall.tree.PageRef;
import dev.upcall.txn.EditFault;
import dev.upcall.txn.SegmentAccess;
import dev.upcall.txn.SegmentChange;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.View;
import dev.upcall.txn.lock.LockKey;
import dev.upcall.txn.lock.LockOwner;
import dev.upcall.txn.lock.LockTable;
import dev.upcall.txn.log.CommitLog;
import dev.upcall.txn.log.NamedExtent;
import dev.upcall.txn.state.Op;
import dev.upcall.txn.state.StoreContext;
import dev.upcall.txn.state.StoreFault;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One change on its way. Fetch: it plans, and plans again from the start whenever a page, room in
 * the log or room on the volume was lacking, or content lay elsewhere than it was made for. Apply:
 * the plan that lacks nothing is applied in the same upcall and cannot fail any more.
 */
public final class ChangeRun<T> extends StateMachine<ChangeRun.State>
    implements Runnable, OnBehalf {
  /** Where a change stands. */
  enum State {
    /** Looks and says what to do. */
    PLANNING,
    /** A page is on its way, or what stands on a place of content that was moved is made again. */
    FETCHING,
    /** The log is nearly full. */
    WAITING_FOR_LOG,
    /** The volume, or the memory for unplaced content or for changed tree pages, is nearly full. */
    WAITING_FOR_SPACE,
    /** A transaction has locked something that it would change. */
    WAITING_FOR_LOCK,
    /** Applied and visible; the log makes it durable. */
    APPLIED,
    /** Acknowledged, or failed with nothing changed. */
    DONE
  }

  public static final Transitions<State> TRANSITIONS =
      Transitions.of("Change", State.class, State.PLANNING)
          .on("page missing, content was moved", State.PLANNING, State.FETCHING)
          .on("page arrived, made again", State.FETCHING, State.PLANNING)
          .on("no room in the log", State.PLANNING, State.WAITING_FOR_LOG)
          .on("room in the log", State.WAITING_FOR_LOG, State.PLANNING)
          .on("no room on the volume", State.PLANNING, State.WAITING_FOR_SPACE)
          .on("room on the volume", State.WAITING_FOR_SPACE, State.PLANNING)
          .on("locked by a transaction", State.PLANNING, State.WAITING_FOR_LOCK)
          .on("released", State.WAITING_FOR_LOCK, State.PLANNING)
          .on("apply", State.PLANNING, State.APPLIED)
          .on("refused", State.PLANNING, State.DONE)
          .on("page unreadable, no room to make it again", State.FETCHING, State.DONE)
          .on("volume full", State.WAITING_FOR_SPACE, State.DONE)
          .on("no room for the log", State.WAITING_FOR_LOG, State.DONE)
          .on("waited too long for a lock", State.WAITING_FOR_LOCK, State.DONE)
          .on("durable, or log failed", State.APPLIED, State.DONE)
          .build();

  private final StoreContext context;
  private final Journal journal;
  private final SegmentChange<T> change;
  private final Mode mode;
  private final CompletionPort<T> port;
  private @Nullable ByteBuffer record;

  /** It has met the end of the heap, and has changed nothing. */
  private boolean withoutRoom;

  private long appliedNanos;

  /** Holds the one lock that was waited for, until this is applied or waits for another. */
  private @Nullable LockOwner turn;

  /** How a change waits and is acknowledged. */
  public enum Mode {
    /** A user's: waits for room, acknowledged when durable. */
    SYNC,
    /** A user's: waits for room, acknowledged when applied, as far as {@link AsyncCommits} go. */
    ASYNC,
    /**
     * The store's own: fails rather than waits for room that a checkpoint makes, because the
     * checkpoint may be waiting for it.
     */
    INTERNAL,
    /** As {@link #INTERNAL}; nobody waits for its end. */
    LEISURE
  }

  /** What a change needs of the engine besides the shared parts. */
  public interface Journal extends SegmentAccess.Features {
    /** The log. */
    CommitLog log();

    /** Which changes are acknowledged before they are durable. */
    AsyncCommits asyncCommits();

    /** What changes see. */
    View view();

    /** What transactions have locked. */
    LockTable locks();

    /** Why no change may be applied any more, or null. */
    @Nullable Failure readOnly();

    /** What hears which keys are changed. */
    NewestChanges newestChanges();

    /** What tells others of changes. */
    ChangeFeed feed();

    /**
     * A change was applied.
     *
     * @param leftOrphan whether it left content that is to be freed in the background
     */
    void applied(boolean leftOrphan);
  }

  public ChangeRun(
      StoreContext context,
      Journal journal,
      SegmentChange<T> change,
      Mode mode,
      CompletionPort<T> port) {
    super(TRANSITIONS, context.dispatcher());
    this.context = context;
    this.journal = journal;
    this.change = change;
    this.mode = mode;
    this.port = port;
  }

  @Override
  public Object whose() {
    return change.author();
  }

  /** Plans and, if nothing is lacking, applies. Must itself run as an upcall. */
  @Override
  public void run() {
    if (withoutRoom) {
      end(HeapBudget.failedFull());
      return;
    }
    Failure readOnly = journal.readOnly();
    if (readOnly != null) {
      end(Completion.failed(readOnly));
      return;
    }
    switch (verdict()) {
      case null -> {
        withoutRoom = true;
        context.dispatcher().post(this); // ended when there is room for that
      }
      case Verdict.Apply<T>(Plan<T> plan) -> apply(plan);
      case Verdict.Unchanged<T>(Completion<T> answer) -> end(answer);
      case Verdict.Refused<T>(Failure why) -> end(Completion.failed(why));
      case Verdict.PageMissing<T>(List<PageRef> pages) ->
          fetch(arrived -> context.loader().load(pages, arrived));
      case Verdict.Postponed<T>(Consumer<CompletionPort<Unit>> remedy) -> fetch(remedy);
      case Verdict.Locked<T>(LockKey key) -> waitFor(key);
      case Verdict.Crowded<T>(long moreBlocks) ->
          waitFor(
              State.WAITING_FOR_SPACE,
              Scarce.UNPLACED,
              new RoomNeed.LessUnplaced(context.pressure(), moreBlocks));
      case Verdict.PagesFull<T> _ ->
          waitFor(
              State.WAITING_FOR_SPACE, Scarce.PAGES, new RoomNeed.FewerPages(context.pressure()));
      case Verdict.VolumeFull<T>(long blocks, Reserve reserve) -> waitForVolume(blocks, reserve);
      case Verdict.LogFull<T>(long bytes, List<NamedExtent> named) -> waitForLog(bytes, named);
    }
  }

  /**
   * Makes all that may be large; null where there is no memory for it, and nothing has happened.
   */
  private @Nullable Verdict<T> verdict() {
    try {
      Verdict<T> planned = planned();
      if (planned instanceof Verdict.Apply<T>(Plan<T> plan)) {
        if (!isInternal() && context.dispatcher().heap().refuses() != null) {
          return null; // what follows the apply finds room in what the heap keeps for it
        }
        record = context.records().encode(logged(plan.ops()));
      }
      return planned;
    } catch (OutOfMemoryError noRoom) {
      if (context.faults().has(StoreFault.CHANGE_WITHOUT_HEAP_IS_FATAL)) {
        throw new IllegalStateException("no memory for a change", noRoom);
      }
      return null;
    }
  }

  private Verdict<T> planned() {
    Verdict<T> planned = Plan.of(change, context, journal, isolation());
    if (!(planned instanceof Verdict.Apply<T>(Plan<T> plan))) {
      return planned;
    }
    boolean inLog = journal.log().hasRoom(plan.recordBytes(), plan.named());
    Verdict.Room room = plan.room(context, inLog);
    return Verdict.of(plan, isInternal() ? room.forCheckpoint() : room);
  }

  private boolean isInternal() {
    return mode == Mode.INTERNAL || mode == Mode.LEISURE;
  }

  private Plan.Isolation isolation() {
    if (isInternal()) {
      return Plan.Isolation.NONE;
    }
    LockOwner own = change.lockOwner();
    return Plan.Isolation.of(journal, own == null ? turn : own, context.faults());
  }

  private void fetch(Consumer<CompletionPort<Unit>> remedy) {
    become(State.FETCHING);
    remedy.accept(resumption());
  }

  /** It waits holding nothing, so that it is in nobody's way. */
  private void waitFor(LockKey key) {
    leaveTurn();
    become(State.WAITING_FOR_LOCK);
    LockOwner waiting = LockOwner.standingAlone("request " + machineNumber());
    turn = waiting;
    journal.locks().acquire(waiting, key, change, resumption());
  }

  private void leaveTurn() {
    if (turn != null) {
      journal.locks().release(turn);
      turn = null;
    }
  }

  private void waitForVolume(long blocks, Reserve reserve) {
    SpaceManager space = context.space();
    if (!isInternal()) {
      become(State.WAITING_FOR_SPACE);
      space.whenRoom(blocks, reserve, resumption());
    } else if (space.mayGrow()) {
      become(State.WAITING_FOR_SPACE);
      space.grow(blocks, resumption());
    } else {
      end(Completion.failed(space.full(blocks)));
    }
  }

  private void waitForLog(long recordBytes, List<NamedExtent> named) {
    CommitLog log = journal.log();
    if (isInternal() && log.isPreparing()) {
      become(State.WAITING_FOR_LOG);
      log.whenPrepared(resumption());
    } else if (isInternal()) {
      end(Completion.failed(new Failure.Busy("the log")));
    } else {
      waitFor(
          State.WAITING_FOR_LOG,
          Scarce.LOG,
          new RoomNeed.InLog(context.pressure(), log, recordBytes, named));
    }
  }

  private void waitFor(State where, Scarce what, RoomNeed need) {
    become(where);
    context.pressure().await(what, need, resumption());
  }

  private CompletionPort<Unit> resumption() {
    return OnBehalf.port(change.author(), this::resume);
  }

  private void resume(Completion<Unit> completion) {
    switch (completion) {
      case Completion.Failed<Unit> failed -> end(failed.cast());
      case Completion.Done<Unit> done -> {
        become(State.PLANNING);
        run();
      }
    }
  }

  private void apply(Plan<T> plan) {
    Completion<T> planned = plan.outcome();
    // Everything that could fail is behind: once the state has changed, the record must follow.
    ByteBuffer encoded = Invariants.present(record, "the record of a change");
    record = null;
    int bytes = encoded.remaining();
    Invariants.check(
        bytes <= plan.recordBytes(),
        "record larger than its room in the log",
        bytes,
        plan.recordBytes());
    long scn = plan.apply(context.state(), journal.newestChanges(), journal.feed());
    become(State.APPLIED);
    appliedNanos = context.dispatcher().upcallNanos();
    boolean early =
        mode == Mode.ASYNC
            && journal.asyncCommits().admit(bytes + plan.savedBytes(), plan.ops(), appliedNanos);
    // In the upcall of the apply: the log's order is that of the SCNs.
    CommitLog log = journal.log();
    CompletionPort<Unit> durable =
        OnBehalf.port(change.author(), completion -> durable(completion, planned, early));
    if (mode == Mode.LEISURE) {
      log.appendAtLeisure(scn, encoded, plan.named(), durable);
    } else {
      log.append(scn, encoded, plan.named(), durable);
    }
    plan.runApplied();
    journal.feed().tell();
    // The lock goes when the state shows the change, so that the next one plans upon it.
    leaveTurn();
    if (early) {
      context.dispatcher().complete(port, planned);
    }
    context.loader().trimSoon();
    journal.applied(plan.leavesOrphan());
  }

  /** What the log keeps of the steps: all, but in stores that are broken on purpose. */
  private List<Op> logged(List<Op> ops) {
    Faults faults = context.faults();
    boolean half = faults.has(StoreFault.HALF_A_TRANSACTION_LOGGED) && change.lockOwner() != null;
    if (faults.has(EditFault.HALF_AN_EDIT_LOGGED) && ops.stream().anyMatch(ChangeRun::isEdit)) {
      return ops.stream().filter(op -> !(op instanceof Op.OverlayWrite)).toList();
    }
    if (faults.has(StoreFault.ENTRIES_LEFT_OUT) && ops.stream().anyMatch(ChangeRun::isOfFile)) {
      return ops.stream().filter(op -> !isOf(StoreTree.ENTRIES, op)).toList();
    }
    return BlockUsers.logged(half ? ops.subList(0, ops.size() / 2) : ops, faults);
  }

  private static boolean isOf(StoreTree tree, Op op) {
    return op instanceof Op.Put put && put.tree() == tree
        || op instanceof Op.Remove remove && remove.tree() == tree;
  }

  private static boolean isEdit(Op op) {
    Inode inode = inode(op);
    return inode != null && inode.layout().pieces() != null;
  }

  private static boolean isOfFile(Op op) {
    Inode inode = inode(op);
    return inode != null && inode.kind() == Kind.FILE;
  }

  private static @Nullable Inode inode(Op op) {
    return op instanceof Op.Put put && put.tree() == StoreTree.INODES
        ? InodeCodec.decode(TreeKeys.id(put.key()), put.value())
        : null;
  }

  private void durable(Completion<Unit> durable, Completion<T> planned, boolean acknowledged) {
    become(State.DONE);
    if (durable instanceof Completion.Done<Unit>) {
      context.meters().durable(context.dispatcher().upcallNanos() - appliedNanos);
    }
    if (acknowledged) {
      journal.asyncCommits().durable();
    } else {
      port.complete(durable instanceof Completion.Failed<Unit> failed ? failed.cast() : planned);
    }
  }

  private void end(Completion<T> completion) {
    become(State.DONE);
    leaveTurn();
    port.complete(completion);
  }
}
