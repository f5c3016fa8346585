package dev.upcall.txn.transaction;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.content.StagedContent;
import dev.upcall.fsm.meter.Distribution;
import dev.upcall.store.TransactionConfig;
import dev.upcall.txn.Store;
import dev.upcall.txn.Transaction;
import dev.upcall.txn.change.ChangeRun;
import dev.upcall.txn.change.NewestChanges;
import dev.upcall.txn.lock.LockTable;
import dev.upcall.txn.metrics.TransactionCounters;
import dev.upcall.txn.snapshot.HeldSnapshot;
import dev.upcall.txn.snapshot.SnapshotManager;
import dev.upcall.txn.state.StoreContext;
import dev.upcall.txn.state.StoreFault;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Begins transactions, knows those that are open, and bounds what all of them hold. */
public final class TransactionManager {
  final StoreContext context;
  final Store store;
  final ChangeRun.Journal journal;
  private final SnapshotManager snapshots;
  private final TransactionConfig config;
  private final LockTable locks;
  private final LinkedHashSet<OpenTransaction> open = new LinkedHashSet<>();
  private final NewestChanges newestChanges = new NewestChanges();
  private final Distribution openNanos = new Distribution();
  private boolean closed;
  private int beginning;
  private long lastId;
  private long heldBlocks;
  private long committed;
  private long rolledBack;
  private long conflicts;
  private long expired;
  private long refused;

  /** How a transaction ended. */
  enum End {
    /** It is part of the state. */
    COMMITTED,
    /** Its owner gave it up, it failed, or the store closes. */
    ROLLED_BACK,
    /** Somebody else had changed what it changed. */
    CONFLICT,
    /** Nobody asked anything of it. */
    EXPIRED
  }

  public TransactionManager(
      StoreContext context, Store store, ChangeRun.Journal journal, SnapshotManager snapshots) {
    this.context = context;
    this.store = store;
    this.journal = journal;
    this.snapshots = snapshots;
    this.config = context.config().transactions();
    this.locks = new LockTable(context.dispatcher(), config.locks());
  }

  boolean isBroken(StoreFault fault) {
    return context.faults().has(fault);
  }

  public LockTable locks() {
    return locks;
  }

  long idleNanos() {
    return config.idleNanos();
  }

  /** Somebody is about to hear of another's change. */
  void told() {
    snapshots.told();
  }

  /** What changes tell which keys they change. */
  public NewestChanges newestChanges() {
    return newestChanges;
  }

  /** What no open transaction can ask for any more need not be known. */
  private void forget() {
    if (!open.isEmpty()) {
      newestChanges.keepSince(open.getFirst().scn());
    } else if (beginning == 0) {
      newestChanges.keepSince(NewestChanges.NOBODY);
    }
  }

  /** See {@link Store#begin}. */
  public void begin(CompletionPort<Transaction> port) {
    context.dispatcher().checkOwner();
    if (open.size() + beginning >= config.maxOpen()) {
      refused++;
      Failure busy =
          new Failure.Busy(
              "transactions open at once (%d)".formatted(config.maxOpen()),
              "commit or roll back some");
      context.dispatcher().complete(port, Completion.failed(busy));
      return;
    }
    if (open.isEmpty() && beginning == 0) {
      newestChanges.keepSince(context.state().scn());
    }
    beginning++;
    snapshots.hold(
        completion -> {
          beginning--;
          port.complete(completion.flatMap(this::begun));
          forget();
        });
  }

  private Completion<Transaction> begun(HeldSnapshot snapshot) {
    if (closed) {
      snapshot.close();
      return Completion.failed(new Failure.Closed("the store"));
    }
    OpenTransaction transaction = new OpenTransaction(this, ++lastId, snapshot);
    open.add(transaction);
    return Completion.done(transaction);
  }

  /**
   * Takes note of content that a transaction will hold, or says why it cannot; what was admitted is
   * given back by {@link #released}.
   */
  @Nullable Failure admit(List<StagedContent> content) {
    long blocks = frames(content);
    if (blocks > 0 && heldBlocks + blocks > context.config().transactionBlocks()) {
      return new Failure.Busy("memory for the contents of open transactions");
    }
    heldBlocks += blocks;
    return null;
  }

  /** Content is held no more by a transaction. */
  void released(List<StagedContent> content) {
    heldBlocks -= frames(content);
  }

  private static long frames(List<StagedContent> content) {
    long blocks = 0;
    for (StagedContent each : content) {
      blocks += each.frameBlocks();
    }
    return blocks;
  }

  /** A transaction has ended after so long. */
  void ended(OpenTransaction transaction, End end, long nanos) {
    open.remove(transaction);
    forget();
    openNanos.record(nanos);
    switch (end) {
      case COMMITTED -> committed++;
      case ROLLED_BACK -> rolledBack++;
      case CONFLICT -> conflicts++;
      case EXPIRED -> expired++;
    }
  }

  /** Rolls all back that have not begun to commit, and begins none any more. */
  public void close() {
    closed = true;
    List.copyOf(open).forEach(OpenTransaction::storeCloses);
  }

  public TransactionCounters counters() {
    return new TransactionCounters(
        open.size(),
        committed,
        rolledBack,
        conflicts,
        expired,
        refused,
        openNanos.snapshot(),
        locks.counters());
  }
}
