package dev.upcall.fileman.machine;

import dev.upcall.BatchResult;
import dev.upcall.access.SegmentEdits;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.content.LeaseOwner;
import dev.upcall.content.StagedContent;
import dev.upcall.fileman.plan.BatchPlanner;
import dev.upcall.store.Durability;
import dev.upcall.txn.SegmentChange;
import dev.upcall.txn.SegmentMutations;
import dev.upcall.txn.Store;
import dev.upcall.txn.Transaction;
import dev.upcall.txn.TransactionStep;
import dev.upcall.txn.View;
import dev.upcall.txn.lock.LockKey;
import java.util.ArrayList;
import java.util.List;

/** A batch with edits in the middle of files, which have to read before they can be planned. */
final class EditingBatch implements SegmentChange<BatchResult> {
  private static final LeaseOwner OWNER = new LeaseOwner("file-edit", 0);

  private final BatchPlanner planner;
  private final SegmentEdits edits;

  private EditingBatch(BatchPlanner planner, SegmentEdits edits) {
    this.planner = planner;
    this.edits = edits;
  }

  /** Does it as one change of the store. */
  static void commit(
      Store store, BatchPlanner planner, Durability durability, CompletionPort<BatchResult> port) {
    SegmentEdits edits = new SegmentEdits(store, store, OWNER, planner.timeNanos());
    CompletionPort<BatchResult> over =
        completion -> {
          edits.close();
          port.complete(completion);
        };
    edits.takePlace(
        over.then(taken -> edits.change(new EditingBatch(planner, edits), durability, over)));
  }

  /**
   * Does it as one step of a transaction.
   *
   * @param content that its requests name; used up whatever the outcome
   */
  static void addTo(
      Transaction transaction,
      Store store,
      BatchPlanner planner,
      List<StagedContent> content,
      CompletionPort<BatchResult> port) {
    SegmentEdits edits = new SegmentEdits(store, transaction, OWNER, planner.timeNanos());
    List<StagedContent> all = new ArrayList<>(content);
    all.add(edits);
    CompletionPort<BatchResult> over =
        completion -> {
          if (completion instanceof Completion.Done<BatchResult>) {
            edits.handOver();
          } else {
            edits.close();
          }
          port.complete(completion);
        };
    edits.takePlace(
        placed -> {
          if (placed instanceof Completion.Failed<?> failed) {
            content.forEach(StagedContent::discard);
            over.complete(failed.cast());
          } else {
            transaction.change(
                new TransactionStep<>(planner.purpose(), new EditingBatch(planner, edits), all),
                over);
          }
        });
  }

  @Override
  public Completion<BatchResult> plan(View view, SegmentMutations out) {
    return planner.plan(view, out, edits);
  }

  @Override
  public String purpose() {
    return planner.purpose();
  }

  @Override
  public String nameOf(LockKey key) {
    return planner.nameOf(key);
  }
}
