package dev.upcall.txn.volume;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import org.jspecify.annotations.Nullable;

/** Makes one completion of several: when all have come, done or else the first failure. */
public final class Join implements CompletionPort<Unit> {
  private final CompletionPort<Unit> port;
  private int outstanding;
  private @Nullable Failure first;

  public Join(int parts, CompletionPort<Unit> port) {
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
