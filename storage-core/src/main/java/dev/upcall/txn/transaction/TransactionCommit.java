package dev.upcall.txn.transaction;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.tree.PageMissing;
import dev.upcall.txn.SegmentChange;
import dev.upcall.txn.SegmentMutations;
import dev.upcall.txn.View;
import dev.upcall.txn.change.MutationBuffer;
import dev.upcall.txn.change.WriteSet;
import dev.upcall.txn.change.WriteSetView;
import dev.upcall.txn.lock.LockOwner;
import dev.upcall.txn.state.StoreFault;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All changes of a transaction as one change of the store. Each is planned again, on what is there
 * now with the earlier ones on top. What they change is locked since it was found to be unchanged,
 * so it still is; what else they have read, a path for one, shows by a plan that changes something
 * else than it said it would.
 */
final class TransactionCommit implements SegmentChange<Long> {
  private final OpenTransaction transaction;

  TransactionCommit(OpenTransaction transaction) {
    this.transaction = transaction;
  }

  @Override
  public LockOwner lockOwner() {
    return transaction.owner;
  }

  @Override
  public Completion<Long> plan(View live, SegmentMutations all) {
    boolean believes = transaction.manager.isBroken(StoreFault.TRANSACTION_NOT_VALIDATED);
    WriteSet cover = new WriteSet();
    WriteSetView over = new WriteSetView(live, cover);
    List<StepRun<?>> steps = transaction.steps;
    int most =
        transaction.manager.isBroken(StoreFault.HALF_A_TRANSACTION)
            ? (steps.size() + 1) / 2
            : steps.size();
    for (StepRun<?> step : steps.subList(0, most)) {
      MutationBuffer out = step.bufferOver(over, all::newSegmentId);
      Failure failure = planAgain(step, live, over, out);
      if (failure != null && !believes) {
        return Completion.failed(failure);
      }
      cover.absorb(out.ops());
      ((MutationBuffer) all).include(out);
    }
    all.onApplied(transaction::applied);
    return Completion.done(live.scn() + 1);
  }

  private @Nullable Failure planAgain(
      StepRun<?> step, View live, WriteSetView over, MutationBuffer out) {
    try {
      return step.planAgain(over, out);
    } catch (PageMissing missing) {
      throw transaction.missing(live, missing);
    }
  }
}
