package dev.upcall.txn.log;

import dev.upcall.fsm.Completion;
import dev.upcall.fsm.CompletionPort;
import dev.upcall.fsm.Failure;
import dev.upcall.fsm.Invariants;
import dev.upcall.fsm.Unit;
import org.jspecify.annotations.Nullable;

/** Makes one completion of several: when all have come, done or else the first failure. */
final class Join implements CompletionPort<Unit> {
  private final CompletionPort<Unit> port;
  private int outstanding;
  private @Nullable Failure first;

  Join(int parts, CompletionPort<Unit> port) {
    Invariants.check(parts > 0, "nothing to join", parts);
    this.outstanding = parts;
    this.port = port;
  }

  @Override
  public void complete(Completion<Unit> completion) {
    Invariants.check(outstanding > 0, "one completion too many");
    if (completion instanceof Completion.Failed<Unit>(Failure failure) && first == null) {
      first = failure;
    }
    outstanding--;
    if (outstanding == 0) {
      port.complete(first == null ? Completion.done() : Completion.failed(first));
    }
  }
}
