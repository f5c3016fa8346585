package dev.upcall.txn;

import dev.upcall.fsm.Completion;
import dev.upcall.fsm.CompletionPort;
import dev.upcall.fsm.Failure;
import dev.upcall.fsm.Unit;
import dev.upcall.txn.log.CommitLog;

/** The way out of a store: drain, checkpoint, log, buffers, disk. */
final class StoreClosing {
  private final Parts parts;
  private final CompletionPort<Unit> port;
  private boolean begun;

  /**
   * What is closed, in this order.
   *
   * @param onlyReads whether there is nothing to make durable, so that not to do it is no failure
   */
  record Parts(
      StoreContext context,
      Reclaim reclaim,
      Checkpoint checkpoint,
      SpaceRelease release,
      Trimmer trimmer,
      CommitLog log,
      boolean onlyReads) {}

  StoreClosing(Parts parts, CompletionPort<Unit> port) {
    this.parts = parts;
    this.port = port;
  }

  /** Nobody is inside any more; may be said more than once. */
  void drained() {
    if (!begun) {
      begun = true;
      parts.reclaim().finish(this::checkpointLast);
    }
  }

  private void checkpointLast() {
    // Where none can be made any more, this waits for what is still under way.
    parts.checkpoint().request(result -> parts.release().whenOver(over -> trim(result)));
  }

  private void trim(Completion<Unit> result) {
    parts.trimmer().close(trimmed -> closeLog(result));
  }

  private void closeLog(Completion<Unit> result) {
    parts
        .log()
        .close(logged -> closeBuffers(result instanceof Completion.Done<Unit> ? logged : result));
  }

  private void closeBuffers(Completion<Unit> result) {
    StoreContext context = parts.context();
    context.space().stop(new Failure.Closed("the store"));
    context.state().segments().clear();
    context.buffers().close(closed -> context.disk().close(disk -> end(result, disk)));
  }

  private void end(Completion<Unit> result, Completion<Unit> disk) {
    boolean failed = result instanceof Completion.Failed<Unit> && !parts.onlyReads();
    port.complete(failed ? result : disk);
  }
}
