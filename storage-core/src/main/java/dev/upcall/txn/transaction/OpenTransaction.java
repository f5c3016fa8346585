package dev.upcall.txn.transaction;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.content.LeaseOwner;
import dev.upcall.content.StagedContent;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import dev.upcall.segment.Overlay;
import dev.upcall.segment.PiecedContent;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.Unplaced;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.Staged;
import dev.upcall.store.Durability;
import dev.upcall.tree.PageMissing;
import dev.upcall.txn.PublishedReads;
import dev.upcall.txn.Query;
import dev.upcall.txn.Transaction;
import dev.upcall.txn.TransactionStep;
import dev.upcall.txn.View;
import dev.upcall.txn.change.MutationBuffer;
import dev.upcall.txn.change.WriteSet;
import dev.upcall.txn.change.WriteSetView;
import dev.upcall.txn.lock.LockKey;
import dev.upcall.txn.lock.LockOwner;
import dev.upcall.txn.log.NamedExtent;
import dev.upcall.txn.snapshot.HeldSnapshot;
import dev.upcall.txn.state.RecordCodec;
import dev.upcall.txn.state.StoreContext;
import dev.upcall.txn.state.StoreFault;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A transaction: a snapshot, the changes over it, and the locks on what they change. */
public final class OpenTransaction extends StateMachine<OpenTransaction.State>
    implements Transaction {
  /** Where a transaction stands. */
  enum State {
    /** Takes changes and reads. */
    OPEN,
    /** Its changes are on their way to the store as one. */
    COMMITTING,
    /** Committed or rolled back; holds nothing. */
    OVER
  }

  public static final Transitions<State> TRANSITIONS =
      Transitions.of("Transaction", State.class, State.OPEN)
          .on("commit", State.OPEN, State.COMMITTING)
          .on("rolled back", State.OPEN, State.OVER)
          .on("acknowledged or refused", State.COMMITTING, State.OVER)
          .build();

  final TransactionManager manager;
  private final StoreContext context;
  private final Dispatcher dispatcher;
  private final long id;
  final HeldSnapshot snapshot;
  final LockOwner owner;
  private final long beganNanos;
  private final WriteSet cover = new WriteSet();
  private final OwnContent ownContent = new OwnContent();
  final List<StepRun<?>> steps = new ArrayList<>();
  private final List<Runnable> whenOver = new ArrayList<>();
  private final ArrayDeque<Queued> queue = new ArrayDeque<>();
  private Dispatcher.Timer idle;
  private long lastAskedNanos;

  private final List<NamedExtent> named = new ArrayList<>();
  private long recordBytes;
  private int reading;
  private Failure over;

  /** What is done one after the other. */
  interface Queued {
    /** It is its turn; it must end with {@link #next}. */
    void start();

    /** The transaction has ended; completes what was asked, once. */
    void giveUp(Failure why);
  }

  OpenTransaction(TransactionManager manager, long id, HeldSnapshot snapshot) {
    super(TRANSITIONS, manager.context.dispatcher());
    this.manager = manager;
    this.context = manager.context;
    this.dispatcher = context.dispatcher();
    this.id = id;
    this.snapshot = snapshot;
    this.owner = new LockOwner("transaction " + id);
    this.over = new Failure.Closed(owner.name());
    this.beganNanos = dispatcher.upcallNanos();
    this.lastAskedNanos = beganNanos;
    this.idle = dispatcher.schedule(manager.idleNanos(), this::idle);
  }

  @Override
  public long id() {
    return id;
  }

  @Override
  public long scn() {
    return snapshot.scn();
  }

  // ------------------------------------------------------------------ reading

  @Override
  public <T> void query(Query<T> query, CompletionPort<T> port) {
    asked();
    if (state() == State.OVER) {
      dispatcher.complete(port, Completion.failed(over));
      return;
    }
    snapshot.query(seen -> query.run(view(seen)), port);
  }

  @Override
  public @Nullable PublishedReads published() {
    return snapshot.published();
  }

  /** What this transaction sees. */
  View view(View seen) {
    boolean broken = manager.isBroken(StoreFault.TRANSACTION_READS_LIVE);
    return new WriteSetView(broken ? manager.journal.view() : seen, cover);
  }

  @Override
  public void pin(Query<Inode> which, LeaseOwner leaseOwner, CompletionPort<PinnedContent> port) {
    query(
        view ->
            switch (which.run(view)) {
              case Completion.Failed<Inode> failed -> failed.<PinnedContent>cast();
              case Completion.Done<Inode>(Inode inode) -> pinNow(inode, leaseOwner);
            },
        port);
  }

  /** The last step of a run that will be delivered: nothing that it looked at was missing. */
  private Completion<PinnedContent> pinNow(Inode inode, LeaseOwner leaseOwner) {
    if (state() == State.OVER) {
      return Completion.failed(over);
    }
    long id = inode.id();
    boolean own = ownContent.has(id);
    boolean hides = own && manager.isBroken(StoreFault.OWN_RANGES_HIDE_THE_REST);
    Unplaced unplaced =
        ownContent.of(id, segment -> hides ? Overlay.EMPTY : snapshot.unplaced(segment));
    // Once committed it is content as any other, and may be replaced while it is read.
    Runnable unpin =
        ownContent.isWhole(id)
            ? context.state().pins().pin(context.state().scn())
            : snapshot.hold();
    reading += own ? 1 : 0;
    return Completion.done(
        PiecedContent.pin(
            context.reader(),
            inode,
            unplaced,
            leaseOwner,
            () -> {
              unpin.run();
              reading -= own ? 1 : 0;
              discardWhenUnread();
            }));
  }

  // ------------------------------------------------------------------ changing

  @Override
  public <T> void change(TransactionStep<T> step, CompletionPort<T> port) {
    dispatcher.checkOwner();
    asked();
    StepRun<T> run = new StepRun<>(this, step, port);
    Failure refused = state() == State.OPEN ? manager.journal.readOnly() : over;
    if (refused != null) {
      run.giveUp(refused);
    } else {
      enqueue(run);
    }
  }

  @Override
  public void commit(Durability durability, CompletionPort<Long> port) {
    dispatcher.checkOwner();
    asked();
    if (state() == State.OPEN) {
      enqueue(new Committing(durability, port));
    } else {
      dispatcher.complete(port, Completion.failed(over));
    }
  }

  private void enqueue(Queued queued) {
    queue.addLast(queued);
    if (queue.size() == 1) {
      queued.start();
    }
  }

  /** The first in the queue has ended. */
  void next() {
    asked();
    queue.pollFirst();
    Queued first = queue.peekFirst();
    if (first != null) {
      first.start();
    }
  }

  /** A step is part of the transaction. */
  void absorb(StepRun<?> step, MutationBuffer planned, List<Long> made) {
    endLooksElsewhere();
    cover.absorb(planned.ops());
    ownContent.absorb(planned.ops(), made);
    recordBytes += RecordCodec.sizeBytes(planned.ops());
    named.addAll(planned.named());
    steps.add(step);
    if (manager.isBroken(StoreFault.LOCK_RELEASED_EARLY)) {
      manager.locks().release(owner);
    }
  }

  /** Before anybody hears of a change: other threads would find the state without it. */
  private void endLooksElsewhere() {
    PublishedReads published = snapshot.published();
    if (published != null && !manager.isBroken(StoreFault.OWN_CHANGES_NOT_PUBLISHED)) {
      published.end();
    }
  }

  /** Whether somebody else was the first to change a key since this began. */
  boolean hasLost(LockKey key) {
    return !manager.isBroken(StoreFault.TRANSACTION_NOT_VALIDATED)
        && manager.newestChanges().isSince(key, snapshot.scn());
  }

  /** A page that a commit lacks, and all others of what the transaction has changed. */
  PageMissing missing(View live, PageMissing first) {
    try {
      cover.lookUp(live);
      return first;
    } catch (PageMissing all) {
      return first.with(all);
    }
  }

  /** Everything that the present changes and some more would name in one record. */
  long recordBytesWith(MutationBuffer planned) {
    return recordBytes + RecordCodec.sizeBytes(planned.ops());
  }

  /** The extents that the record of the present changes and some more would name. */
  List<NamedExtent> named(MutationBuffer planned) {
    List<NamedExtent> all = new ArrayList<>(named);
    all.addAll(planned.named());
    return all;
  }

  Failure.Conflict conflict(String what) {
    return new Failure.Conflict(
        "%s: somebody else has changed %s since it began; do it again"
            .formatted(owner.name(), what));
  }

  /** What a change needed is there no more. */
  Failure.Conflict overtaken(String purpose, Failure now) {
    return new Failure.Conflict(
        "%s: somebody else's change since it began is in the way of %s: %s; do it again"
            .formatted(owner.name(), purpose, now.message()));
  }

  // ------------------------------------------------------------------ ending

  /** The commit, in the queue with the changes. */
  private final class Committing implements Queued {
    private final Durability durability;
    private final CompletionPort<Long> port;

    Committing(Durability durability, CompletionPort<Long> port) {
      this.durability = durability;
      this.port = port;
    }

    @Override
    public void start() {
      become(State.COMMITTING);
      idle.cancel();
      if (recordBytes == 0) {
        dispatcher.post(() -> committed(Completion.done(snapshot.scn())));
        return;
      }
      TransactionCommit commit = new TransactionCommit(OpenTransaction.this);
      manager.store.changeSegment(commit, durability, this::committed);
    }

    @Override
    public void giveUp(Failure why) {
      dispatcher.complete(port, Completion.failed(why));
    }

    private void committed(Completion<Long> completion) {
      queue.pollFirst();
      switch (completion) {
        case Completion.Done<Long> _ -> end(TransactionManager.End.COMMITTED, over);
        case Completion.Failed<Long>(Failure.Conflict conflict) ->
            end(TransactionManager.End.CONFLICT, conflict);
        case Completion.Failed<Long>(Failure failure) ->
            end(TransactionManager.End.ROLLED_BACK, failure);
      }
      port.complete(completion);
    }
  }

  /** Its changes are applied: whoever waits for what it has locked may go on. */
  void applied() {
    manager.locks().release(owner);
  }

  @Override
  public void whenOver(Runnable upcall) {
    Invariants.check(state() != State.OVER, "a transaction that has ended", id);
    whenOver.add(upcall);
  }

  @Override
  public void rollback() {
    dispatcher.checkOwner();
    rollback(TransactionManager.End.ROLLED_BACK, over);
  }

  /** A failure that ends the transaction. */
  void fail(Failure failure) {
    rollback(
        failure instanceof Failure.Conflict
            ? TransactionManager.End.CONFLICT
            : TransactionManager.End.ROLLED_BACK,
        failure);
  }

  void storeCloses() {
    rollback(TransactionManager.End.ROLLED_BACK, new Failure.Closed("the store"));
  }

  private void rollback(TransactionManager.End end, Failure why) {
    if (state() == State.OPEN) {
      end(end, why);
    }
  }

  private void end(TransactionManager.End end, Failure why) {
    become(State.OVER);
    over = why;
    idle.cancel();
    List<Queued> left = List.copyOf(queue);
    queue.clear();
    // Who is rolled back hears of it before those that wait for its locks go on.
    left.forEach(queued -> queued.giveUp(why));
    manager.locks().release(owner);
    snapshot.close();
    ownContent.close();
    manager.ended(this, end, dispatcher.upcallNanos() - beganNanos);
    discardWhenUnread();
    whenOver.forEach(Runnable::run);
  }

  /** What no commit has taken is freed; nobody must be reading it any more. */
  private void discardWhenUnread() {
    if (state() != State.OVER || reading > 0) {
      return;
    }
    for (StepRun<?> step : steps) {
      manager.released(step.content());
      step.content().forEach(this::discard);
    }
    steps.clear();
  }

  private void discard(StagedContent content) {
    if (content instanceof Staged.Placed placed && !placed.isTaken()) {
      // It may have been read: whoever gets the blocks next must not find it in frames.
      placed.named().forEach(blocks -> context.buffers().forget(blocks.extent()));
    }
    content.discard();
  }

  // ------------------------------------------------------------------ idling

  private void asked() {
    lastAskedNanos = dispatcher.upcallNanos();
  }

  private void idle() {
    PublishedReads published = snapshot.published();
    if (published != null && published.takeUsed()) {
      asked(); // at some moment since the last time
    }
    long left = manager.idleNanos() - (dispatcher.upcallNanos() - lastAskedNanos);
    if (left > 0 || !queue.isEmpty()) {
      idle = dispatcher.schedule(left > 0 ? left : manager.idleNanos(), this::idle);
      return;
    }
    rollback(
        TransactionManager.End.EXPIRED,
        new Failure.Cancelled(
            "%s, of which nothing was asked for %d ms,"
                .formatted(owner.name(), manager.idleNanos() / 1_000_000)));
  }
}
