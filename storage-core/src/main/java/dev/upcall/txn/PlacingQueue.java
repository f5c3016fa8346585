package dev.upcall.txn;

import dev.upcall.fsm.Completion;
import dev.upcall.fsm.CompletionPort;
import dev.upcall.fsm.Failure;
import dev.upcall.fsm.Unit;
import java.util.ArrayDeque;
import java.util.List;

/** Changes that wait until less content is unplaced. */
final class PlacingQueue {
  private final WriteBack writeBack;
  private final Checkpoint checkpoint;
  private final Admission admission;
  private final ArrayDeque<CompletionPort<Unit>> waiting = new ArrayDeque<>();
  private boolean placing;

  PlacingQueue(WriteBack writeBack, Checkpoint checkpoint, Admission admission) {
    this.writeBack = writeBack;
    this.checkpoint = checkpoint;
    this.admission = admission;
  }

  /** Completes when it is worth looking again, or fails when there is no room. */
  void add(CompletionPort<Unit> port) {
    waiting.add(port);
    if (!placing) {
      placing = true;
      writeBack.placeAll(this::placed);
    }
  }

  /**
   * Where write-back could not go on, a checkpoint makes room in the log or on the volume; whoever
   * waits looks again. If that did not help, there is no room.
   */
  private void placed(Completion<Unit> completion) {
    if (completion instanceof Completion.Failed<Unit> && admission.readOnly() == null) {
      checkpoint.request(checkpointed -> writeBack.placeAll(this::placedAgain));
    } else {
      wake(Completion.done());
    }
  }

  private void placedAgain(Completion<Unit> completion) {
    boolean full =
        completion instanceof Completion.Failed<Unit>(Failure failure)
            && (failure instanceof Failure.VolumeFull || failure instanceof Failure.TooLarge);
    wake(full ? completion : Completion.done());
  }

  private void wake(Completion<Unit> completion) {
    placing = false;
    List<CompletionPort<Unit>> woken = List.copyOf(waiting);
    waiting.clear();
    // Whoever must wait again begins a new round, also while others of this one are still to be
    // told.
    for (CompletionPort<Unit> port : woken) {
      port.complete(completion);
    }
  }
}
