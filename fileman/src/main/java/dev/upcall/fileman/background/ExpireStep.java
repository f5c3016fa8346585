package dev.upcall.fileman.background;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Refused;
import dev.upcall.content.Times;
import dev.upcall.fileman.plan.Namespace;
import dev.upcall.txn.Change;
import dev.upcall.txn.ExpiryKeys;
import dev.upcall.txn.Mutations;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.View;

/**
 * Deletes a few files that have expired, those first that did so first. Nobody has seen them since,
 * and their directories are left as they are, so nobody can tell when it comes.
 *
 * @param limit files in this step
 * @param timeNanos the time of the step: what expires later stays
 */
record ExpireStep(int limit, long timeNanos) implements Change<ExpireStep.Progress> {

  /**
   * What a step did.
   *
   * @param files how many it deleted
   * @param nextNanos when the first of the others expires, or has; {@link Times#NEVER} if there is
   *     none
   */
  record Progress(int files, long nextNanos) {}

  @Override
  public Completion<Progress> plan(View view, Mutations out) {
    return Refused.catching(() -> step(view, out));
  }

  private Progress step(View view, Mutations out) {
    Namespace namespace = new Namespace(view, timeNanos);
    View.Scan expiries = view.from(StoreTree.EXPIRY, new byte[0]);
    long next = Times.NEVER;
    int files = 0;
    while (expiries.next()) {
      long expires = ExpiryKeys.expiresNanos(expiries.key());
      if (expires > timeNanos || files == limit) {
        next = expires;
        break;
      }
      namespace.collect(expiries.value().clone(), ExpiryKeys.id(expiries.key()));
      files++;
    }
    namespace.emit(out);
    return new Progress(files, next);
  }
}
