package dev.upcall.txn.transaction;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.StagedContent;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import dev.upcall.segment.layout.TreeKeys;
import dev.upcall.txn.Overtaken;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.TransactionStep;
import dev.upcall.txn.View;
import dev.upcall.txn.change.LockKeys;
import dev.upcall.txn.change.MutationBuffer;
import dev.upcall.txn.lock.LockKey;
import dev.upcall.txn.state.Op;
import dev.upcall.txn.state.StoreState;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One change on its way into a transaction: it plans on what the transaction sees, locks what it
 * would change, and makes sure that nobody has changed that since. Nothing is applied.
 */
public final class StepRun<T> extends StateMachine<StepRun.State>
    implements OpenTransaction.Queued {
  /** Where a step stands. */
  enum State {
    /** In the queue of its transaction. */
    QUEUED,
    /** Looks and says what to do. */
    PLANNING,
    /** Waits for locks, one after the other. */
    LOCKING,
    /** Part of the transaction, or refused. */
    DONE
  }

  public static final Transitions<State> TRANSITIONS =
      Transitions.of("TransactionStep", State.class, State.QUEUED)
          .on("its turn", State.QUEUED, State.PLANNING)
          .on("planned", State.PLANNING, State.LOCKING)
          .on("refused", State.PLANNING, State.DONE)
          .on(
              "all is locked; or conflict, deadlock, waited too long, too many locks",
              State.LOCKING,
              State.DONE)
          .on("the transaction has ended", State.QUEUED, State.DONE)
          .build();

  private final OpenTransaction transaction;
  private final TransactionStep<T> step;
  private final CompletionPort<T> port;
  private final StepIds ids = new StepIds();

  private SortedSet<LockKey> keys = new TreeSet<>();
  private List<Long> made = List.of();
  private @Nullable MutationBuffer planned;
  private @Nullable Completion<T> result;
  private Iterator<LockKey> unlocked = List.<LockKey>of().iterator();
  private boolean admitted;

  /** Why the last look has to be repeated, or null. */
  private @Nullable Overtaken overtaken;

  StepRun(OpenTransaction transaction, TransactionStep<T> step, CompletionPort<T> port) {
    super(TRANSITIONS, transaction.manager.context.dispatcher());
    this.transaction = transaction;
    this.step = step;
    this.port = port;
  }

  List<StagedContent> content() {
    return step.content();
  }

  @Override
  public void start() {
    become(State.PLANNING);
    look();
  }

  private void look() {
    overtaken = null;
    transaction.snapshot.query(
        view ->
            state() == State.DONE
                ? Completion.failed(new Failure.Closed(transaction.owner.name()))
                : planOrBringFirst(transaction.view(view)),
        this::planned);
  }

  private Completion<T> planOrBringFirst(View view) {
    try {
      return plan(view);
    } catch (Overtaken lacking) {
      overtaken = lacking;
      // Nobody hears of this: what is lacking is brought, and then it is planned again.
      return Completion.failed(new Failure.Busy(step.purpose()));
    }
  }

  /** Runs again from its start when a page was missing. */
  private Completion<T> plan(View view) {
    MutationBuffer out = buffer(view);
    Completion<T> completion = step.change().plan(view, out);
    if (completion instanceof Completion.Done<T>) {
      out.finish();
      keys = LockKeys.of(out.ops(), view);
      made = made(out.ops(), view);
    }
    planned = out;
    return completion;
  }

  private MutationBuffer buffer(View view) {
    StoreState state = transaction.manager.context.state();
    return new MutationBuffer(
        view, ids.fromTheFirst(state::reserveSegmentId), state::reserveSegmentId, state.faults());
  }

  private static List<Long> made(List<Op> ops, View view) {
    List<Long> made = new ArrayList<>();
    for (Op op : ops) {
      if (op instanceof Op.Put put
          && put.tree() == StoreTree.INODES
          && view.inode(TreeKeys.id(put.key())) == null) {
        made.add(TreeKeys.id(put.key()));
      }
    }
    return made;
  }

  private void planned(Completion<T> completion) {
    if (state() == State.DONE) {
      return;
    }
    Overtaken lacking = overtaken;
    if (lacking != null) {
      lacking.catchUp(this::brought);
      return;
    }
    if (completion instanceof Completion.Failed<T>(Failure failure)) {
      refuse(failure);
      return;
    }
    MutationBuffer out = plannedNow();
    Failure refused =
        transaction
            .manager
            .journal
            .log()
            .refuses(transaction.recordBytesWith(out), transaction.named(out));
    if (refused == null) {
      refused = transaction.manager.admit(step.content());
    }
    if (refused != null) {
      refuse(refused);
      return;
    }
    admitted = true;
    result = completion;
    become(State.LOCKING);
    unlocked = keys.stream().filter(key -> !transaction.owner.holds(key)).toList().iterator();
    lockNext();
  }

  /** What the plan had to find is there, or cannot be had. */
  private void brought(Completion<Unit> completion) {
    if (state() == State.DONE) {
      return;
    }
    switch (completion) {
      case Completion.Failed<Unit>(Failure failure) -> refuse(failure);
      case Completion.Done<Unit> _ -> look();
    }
  }

  private void lockNext() {
    if (unlocked.hasNext()) {
      LockKey key = unlocked.next();
      transaction
          .manager
          .locks()
          .acquire(transaction.owner, key, step, completion -> locked(key, completion));
      return;
    }
    become(State.DONE);
    transaction.absorb(this, plannedNow(), made);
    transaction.next();
    port.complete(Invariants.present(result, "what a step gives back"));
  }

  /** A key that the transaction holds was looked at here, and cannot change as long as it does. */
  private void locked(LockKey key, Completion<Unit> completion) {
    if (state() == State.DONE) {
      return;
    }
    switch (completion) {
      case Completion.Done<Unit> _ when transaction.hasLost(key) -> {
        transaction.manager.told();
        transaction.fail(transaction.conflict(step.nameOf(key) + " (" + step.purpose() + ")"));
      }
      case Completion.Done<Unit> _ -> lockNext();
      case Completion.Failed<Unit>(Failure.Deadlock deadlock) -> transaction.fail(deadlock);
      case Completion.Failed<Unit>(Failure failure) -> refuse(failure);
    }
  }

  private MutationBuffer plannedNow() {
    return Invariants.present(planned, "the plan of a step");
  }

  /** Nothing of it is part of the transaction, which goes on. */
  private void refuse(Failure failure) {
    over();
    transaction.next();
    port.complete(Completion.failed(failure));
  }

  @Override
  public void giveUp(Failure why) {
    over();
    transaction.manager.context.dispatcher().complete(port, Completion.failed(why));
  }

  private void over() {
    become(State.DONE);
    if (admitted) {
      transaction.manager.released(step.content());
    }
    step.discard();
  }

  // ------------------------------------------------------------------ at the commit

  /**
   * Plans again on what is there now.
   *
   * @param over the live view, with the earlier steps of the transaction on top
   * @return what went wrong, or null
   */
  @Nullable Failure planAgain(View over, MutationBuffer out) {
    if (step.change().plan(over, out) instanceof Completion.Failed<T>(Failure failure)) {
      return transaction.overtaken(step.purpose(), failure);
    }
    out.finish();
    SortedSet<LockKey> now = LockKeys.of(out.ops(), over);
    return now.equals(keys)
        ? null
        : transaction.conflict("what the path leads to (" + step.purpose() + ")");
  }

  /** Where the steps of this change go; its segment ids are those that its owner has seen. */
  MutationBuffer bufferOver(View over, LongSupplier fresh) {
    return new MutationBuffer(
        over, ids.fromTheFirst(fresh), fresh, transaction.manager.context.state().faults());
  }
}
