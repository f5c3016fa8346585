package dev.upcall.txn;

import dev.upcall.fsm.Completion;
import dev.upcall.fsm.CompletionPort;
import dev.upcall.fsm.Failure;
import dev.upcall.fsm.Unit;
import dev.upcall.txn.log.LogWriter;

/** The way out of a store: drain, checkpoint, log, buffers, disk. */
final class StoreClosing {
  private final StoreContext context;
  private final Machines machines;
  private final CompletionPort<Unit> port;
  private boolean begun;

  /**
   * The machines in the order in which they end.
   *
   * @param reclaim frees what deletions left
   * @param checkpoint writes the last one
   * @param trimmer gives space back to the device
   * @param log has nothing more to write then
   */
  record Machines(Reclaim reclaim, Checkpoint checkpoint, Trimmer trimmer, LogWriter log) {}

  StoreClosing(StoreContext context, Machines machines, CompletionPort<Unit> port) {
    this.context = context;
    this.machines = machines;
    this.port = port;
  }

  /** Nobody is inside any more. */
  void drained() {
    if (!begun) {
      begun = true;
      machines.reclaim().finish(this::checkpointLast);
    }
  }

  private void checkpointLast() {
    // Where none can be made any more, this waits for what is still under way.
    machines.checkpoint().request(result -> machines.trimmer().close(trimmed -> closeLog(result)));
  }

  private void closeLog(Completion<Unit> result) {
    machines
        .log()
        .close(logged -> closeBuffers(result instanceof Completion.Done<Unit> ? logged : result));
  }

  private void closeBuffers(Completion<Unit> result) {
    context.space().stop(new Failure.Closed("the store"));
    context.state().segments().clear();
    context
        .buffers()
        .close(
            closed ->
                context
                    .disk()
                    .close(
                        disk ->
                            port.complete(
                                result instanceof Completion.Failed<Unit> ? result : disk)));
  }
}
