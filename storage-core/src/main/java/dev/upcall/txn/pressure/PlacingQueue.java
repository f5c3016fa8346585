package dev.upcall.txn.pressure;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.txn.checkpoint.Checkpoint;
import dev.upcall.txn.checkpoint.WriteBack;
import dev.upcall.txn.state.Admission;
import dev.upcall.txn.state.SegmentTable;
import java.util.ArrayDeque;
import java.util.List;

/** Changes, and requests for snapshots, that wait until less content is unplaced. */
public final class PlacingQueue {
  private final SegmentTable segments;
  private final WriteBack writeBack;
  private final Checkpoint checkpoint;
  private final Admission admission;
  private final ArrayDeque<CompletionPort<Unit>> waiting = new ArrayDeque<>();
  private boolean placing;
  private long unplacedBefore;

  public PlacingQueue(
      SegmentTable segments, WriteBack writeBack, Checkpoint checkpoint, Admission admission) {
    this.segments = segments;
    this.writeBack = writeBack;
    this.checkpoint = checkpoint;
    this.admission = admission;
  }

  /**
   * Completes when it is worth looking again, or fails with what keeps content from being placed:
   * there is no room, or what names the places of a segment's content cannot be read.
   */
  public void add(CompletionPort<Unit> port) {
    waiting.add(port);
    if (!placing) {
      placing = true;
      unplacedBefore = segments.unplacedBlocks();
      writeBack.placeAll(this::placed);
    }
  }

  /**
   * Where write-back could not go on, a checkpoint makes room in the log or on the volume; whoever
   * waits looks again. If that did not help, it fails: looking again would go on for ever.
   */
  private void placed(Completion<Unit> completion) {
    if (completion instanceof Completion.Failed<Unit>(Failure failure)
        && admission.readOnly() == null
        && (isLackOfRoom(failure) || !haveOthersBeenPlaced())) {
      checkpoint.request(checkpointed -> writeBack.placeAll(this::placedAgain));
    } else {
      wake(Completion.done());
    }
  }

  private static boolean isLackOfRoom(Failure failure) {
    return failure instanceof Failure.VolumeFull
        || failure instanceof Failure.TooLarge
        || failure instanceof Failure.Busy;
  }

  /** What cannot be read keeps only its own segment from being placed. */
  private boolean haveOthersBeenPlaced() {
    return segments.unplacedBlocks() < unplacedBefore;
  }

  private void placedAgain(Completion<Unit> completion) {
    boolean hopeless =
        completion instanceof Completion.Failed<Unit>(Failure failure)
            && !(failure instanceof Failure.Busy)
            && (isLackOfRoom(failure) || !haveOthersBeenPlaced());
    wake(hopeless ? completion : Completion.done());
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
