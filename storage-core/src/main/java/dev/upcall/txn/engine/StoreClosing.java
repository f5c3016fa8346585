package dev.upcall.txn.engine;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.txn.state.StoreContext;

/** The way out of a store: drain, checkpoint, log, buffers, disk. */
final class StoreClosing {
  private final StoreContext context;
  private final StoreMachines machines;
  private final boolean onlyReads;
  private final CompletionPort<Unit> port;
  private boolean begun;

  /**
   * A closing.
   *
   * @param onlyReads whether there is nothing to make durable, so that not to do it is no failure
   */
  StoreClosing(
      StoreContext context, StoreMachines machines, boolean onlyReads, CompletionPort<Unit> port) {
    this.context = context;
    this.machines = machines;
    this.onlyReads = onlyReads;
    this.port = port;
  }

  /** Nobody is inside any more; may be said more than once. */
  void drained() {
    if (!begun) {
      begun = true;
      int inside = machines.entrance().inside();
      Invariants.check(inside == 0, "requests inside a store that ends", inside);
      context.pressure().close();
      // Before the last checkpoint, which makes what it frees allocatable for the next opening.
      machines.reclaim().finish(this::checkpointLast);
    }
  }

  private void checkpointLast() {
    // Where none can be made any more, this waits for what is still under way.
    machines.checkpoint().request(result -> machines.release().whenOver(over -> trim(result)));
  }

  private void trim(Completion<Unit> result) {
    // After the release, whose blocks it gives back; before the log, which its checkpoint needs.
    machines.trimmer().close(trimmed -> closeLog(result));
  }

  private void closeLog(Completion<Unit> result) {
    machines.watch().close();
    machines.log().close(logged -> closeBuffers(isInLog(result) ? logged : result));
  }

  /** Whether a whole log is enough: what a full volume had no room for is replayed from it. */
  private static boolean isInLog(Completion<Unit> checkpointed) {
    return !(checkpointed instanceof Completion.Failed<Unit>(Failure failure))
        || failure instanceof Failure.VolumeFull;
  }

  private void closeBuffers(Completion<Unit> result) {
    // Leases go before the memory that they are of, and the disk last, to which all others write.
    Failure end = new Failure.Closed("the store");
    context.space().stop(end);
    context.pressure().stop(end);
    context.state().segments().clear();
    context.buffers().close(closed -> context.disk().close(disk -> end(result, disk)));
  }

  private void end(Completion<Unit> result, Completion<Unit> disk) {
    boolean failed = result instanceof Completion.Failed<Unit> && !onlyReads;
    port.complete(failed ? result : disk);
  }
}
