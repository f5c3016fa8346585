package dev.upcall.txn;

import dev.upcall.fsm.Completion;
import dev.upcall.fsm.CompletionPort;
import dev.upcall.fsm.Failure;
import dev.upcall.fsm.Invariants;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import dev.upcall.fsm.Unit;
import dev.upcall.space.Reserve;
import dev.upcall.tree.PageMissing;
import dev.upcall.txn.lock.LockKey;
import dev.upcall.txn.lock.LockOwner;
import dev.upcall.txn.lock.LockTable;
import dev.upcall.txn.log.CommitLog;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One change on its way. Fetch: it plans, and plans again from the start whenever a page, room in
 * the log or room on the volume was lacking, or content lay elsewhere than it was made for. Apply:
 * the plan that lacks nothing is applied in the same upcall and cannot fail any more.
 */
final class ChangeRun<T> extends StateMachine<ChangeRun.State> {
  /** Where a change stands. */
  enum State {
    /** Looks and says what to do. */
    PLANNING,
    /** A page is on its way, or what stands on a place of content that was moved is made again. */
    FETCHING,
    /** The log is nearly full. */
    WAITING_FOR_LOG,
    /** The volume or the memory for unplaced content is nearly full. */
    WAITING_FOR_SPACE,
    /** A transaction has locked something that it would change. */
    WAITING_FOR_LOCK,
    /** Applied and visible; the log makes it durable. */
    APPLIED,
    /** Acknowledged, or failed with nothing changed. */
    DONE
  }

  static final Transitions<State> TRANSITIONS =
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
          .on("log failed", State.WAITING_FOR_LOG, State.DONE)
          .on("volume full", State.WAITING_FOR_SPACE, State.DONE)
          .on("waited too long for a lock", State.WAITING_FOR_LOCK, State.DONE)
          .on("durable, or log failed", State.APPLIED, State.DONE)
          .build();

  private final StoreContext context;
  private final Journal journal;
  private final SegmentChange<T> change;
  private final Mode mode;
  private final CompletionPort<T> port;
  private long appliedNanos;

  /** Holds the one lock that was waited for, until this is applied or waits for another. */
  private @Nullable LockOwner turn;

  /** How a change waits and is acknowledged. */
  enum Mode {
    /** A user's: waits for room, acknowledged when durable. */
    SYNC,
    /** A user's: waits for room, acknowledged when applied, as far as {@link EarlyAcks} go. */
    ASYNC,
    /**
     * The store's own: fails rather than waits for room that a checkpoint makes, because the
     * checkpoint may be waiting for it.
     */
    INTERNAL
  }

  /** What a change needs of the engine besides the shared parts. */
  interface Journal {
    /** The log. */
    CommitLog log();

    /** Which changes are acknowledged before they are durable. */
    EarlyAcks earlyAcks();

    /** What changes see. */
    View view();

    /** What transactions have locked. */
    LockTable locks();

    /** Why no change may be applied any more, or null. */
    @Nullable Failure readOnly();

    /** Completes when unplaced content has become less, or fails. */
    void whenPlaced(CompletionPort<Unit> port);

    /** What hears which keys are replaced. */
    ChangedBack changedBack();

    /**
     * A change was applied.
     *
     * @param leftOrphan whether it left content that is to be freed in the background
     */
    void applied(boolean leftOrphan);
  }

  ChangeRun(
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

  /** Plans and, if nothing is lacking, applies. Must itself run as an upcall. */
  void run() {
    Failure readOnly = journal.readOnly();
    if (readOnly != null) {
      end(Completion.failed(readOnly));
      return;
    }
    StoreState state = context.state();
    MutationBuffer out = new MutationBuffer(journal.view(), state.nextSegmentId(), state.faults());
    Completion<T> planned;
    LockKey locked = null;
    List<LockKey> replaced = List.of();
    try {
      planned = change.plan(journal.view(), out);
      if (planned instanceof Completion.Done<T>) {
        out.finish();
        for (Op op : out.ops()) {
          state.prepare(op);
        }
        replaced = journal.changedBack().replaced(out.ops(), journal.view());
        if (!journal.locks().isEmpty()) {
          locked = locked(out.ops());
        }
      }
    } catch (PageMissing missing) {
      become(State.FETCHING);
      context.loader().load(missing.page(), this::resume);
      return;
    } catch (Overtaken overtaken) {
      become(State.FETCHING);
      overtaken.catchUp(this::resume);
      return;
    }
    if (planned instanceof Completion.Failed<T> || out.ops().isEmpty()) {
      end(planned);
      return;
    }
    if (locked != null) {
      waitFor(locked);
    } else if (hasRoom(out)) {
      apply(out, planned, replaced);
    }
  }

  /** What somebody else has locked, or null. What the store does itself changes nothing. */
  private @Nullable LockKey locked(List<Op> ops) {
    if (mode == Mode.INTERNAL) {
      return null;
    }
    LockOwner self = change instanceof TransactionCommit commit ? commit.owner() : turn;
    return LockKeys.blocked(journal.locks(), self, ops, journal.view());
  }

  /** It waits holding nothing, so that it is in nobody's way. */
  private void waitFor(LockKey key) {
    leaveTurn();
    become(State.WAITING_FOR_LOCK);
    LockOwner waiting = LockOwner.standingAlone("request " + machineNumber());
    turn = waiting;
    journal.locks().acquire(waiting, key, "a change that stands alone", this::resume);
  }

  private void leaveTurn() {
    if (turn != null) {
      journal.locks().release(turn);
      turn = null;
    }
  }

  /** Whether the plan can be applied now; otherwise the machine has gone to wait or has ended. */
  private boolean hasRoom(MutationBuffer out) {
    StoreState state = context.state();
    CommitLog log = journal.log();
    long recordBytes = RecordCodec.sizeBytes(out.ops());
    Failure tooLarge = log.refuses(recordBytes, out.named());
    if (tooLarge == null) {
      tooLarge = UnplacedCopies.refuses(out.ops(), context.config());
    }
    if (tooLarge != null) {
      end(Completion.failed(tooLarge));
      return false;
    }
    if (out.addsContent()
        && UnplacedCopies.unplacedWith(out.ops(), state.segments())
            > context.config().parkAtBlocks()) {
      waitForRoom(State.WAITING_FOR_SPACE);
      journal.whenPlaced(this::resumeWithRoom);
      return false;
    }
    long blocks = state.worstCaseBlocks(out.ops());
    Reserve reserve = out.mayUseEmergencySpace() ? Reserve.EMERGENCY : Reserve.NORMAL;
    if (!context.space().hasRoom(blocks, reserve)) {
      if (mode == Mode.INTERNAL && !context.space().mayGrow()) {
        end(Completion.failed(context.space().full(blocks)));
        return false;
      }
      waitForRoom(State.WAITING_FOR_SPACE);
      if (mode == Mode.INTERNAL) {
        context.space().grow(blocks, this::resumeWithRoom);
        return false;
      }
      context.space().whenRoom(blocks, reserve, this::resumeWithRoom);
      return false;
    }
    if (!log.hasRoom(recordBytes, out.named())) {
      if (mode == Mode.INTERNAL) {
        end(Completion.failed(new Failure.Busy("the log")));
        return false;
      }
      waitForRoom(State.WAITING_FOR_LOG);
      log.whenRoom(recordBytes, out.named(), this::resumeWithRoom);
      return false;
    }
    return true;
  }

  private void waitForRoom(State where) {
    context.urgency().waiterCame();
    become(where);
  }

  private void resumeWithRoom(Completion<Unit> completion) {
    context.urgency().waiterWent();
    resume(completion);
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

  private void apply(MutationBuffer out, Completion<T> planned, List<LockKey> replaced) {
    StoreState state = context.state();
    long scn = state.scn() + 1;
    ByteBuffer record = encode(logged(out.ops()), context.records());
    journal.changedBack().note(replaced, scn);
    state.advance(scn);
    for (Op op : out.ops()) {
      state.apply(op, /* live= */ true);
    }
    state.settlePromise();
    become(State.APPLIED);
    appliedNanos = context.dispatcher().upcallNanos();
    boolean early =
        mode == Mode.ASYNC
            && journal.earlyAcks().admit(record.remaining(), out.ops(), appliedNanos);
    journal.log().append(scn, record, out.named(), durable -> durable(durable, planned, early));
    out.runApplied();
    leaveTurn();
    if (early) {
      context.dispatcher().complete(port, planned);
    }
    journal.applied(out.leavesOrphan());
  }

  /** What the log keeps of the steps: all, but in stores that are broken on purpose. */
  private List<Op> logged(List<Op> ops) {
    return BlockUsers.logged(
        change instanceof TransactionCommit commit ? commit.logged(ops) : ops,
        context.state().faults());
  }

  private void durable(Completion<Unit> durable, Completion<T> planned, boolean acknowledged) {
    become(State.DONE);
    if (durable instanceof Completion.Done<Unit>) {
      context.meters().durable(context.dispatcher().upcallNanos() - appliedNanos);
    }
    if (acknowledged) {
      journal.earlyAcks().durable();
    } else {
      port.complete(durable instanceof Completion.Failed<Unit> failed ? failed.cast() : planned);
    }
  }

  private void end(Completion<T> completion) {
    become(State.DONE);
    leaveTurn();
    port.complete(completion);
  }

  private static ByteBuffer encode(List<Op> ops, RecordBuffer memory) {
    int bytes = Math.toIntExact(RecordCodec.sizeBytes(ops));
    ByteBuffer record = memory.take(bytes);
    RecordCodec.encode(ops, record);
    Invariants.check(!record.hasRemaining(), "size of a log record", bytes, record.position());
    return record.flip();
  }
}
