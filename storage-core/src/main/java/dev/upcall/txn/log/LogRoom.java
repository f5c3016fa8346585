package dev.upcall.txn.log;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.pressure.Thresholds;
import dev.upcall.space.Extent;
import dev.upcall.txn.volume.VolumeLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How full the ring and the memory before it are, by the log's {@link Thresholds}: says no at the
 * limit (or when too many bytes wait to become durable, or where the ring is not prepared yet),
 * asks for a checkpoint where work begins, and tells the one who asked when there is room.
 */
public final class LogRoom {
  private record Asked(int blocks, long framedBytes, CompletionPort<Unit> port) {}

  private final Consumer<Runnable> upcalls;
  private final LogListener listener;
  private final int logBlocks;
  private final Thresholds at;
  private final int maxPendingBytes;
  private final FirstLap lap;
  private @Nullable Asked asked;
  private final List<CompletionPort<Unit>> stepAsked = new ArrayList<>();
  private long trimmedPosition;
  private long appendPosition;
  private long pendingBytes;
  private boolean checkpointAsked;

  /**
   * Room in a log that continues another, and may be as full as that was.
   *
   * @param upcalls runs what those who wait, and the listener, are told
   */
  public LogRoom(
      LogConfig config,
      VolumeLayout layout,
      LogState start,
      LogListener listener,
      Consumer<Runnable> upcalls) {
    this.logBlocks = layout.logBlocks();
    this.upcalls = upcalls;
    this.listener = listener;
    this.at = Thresholds.ofLog(logBlocks);
    this.maxPendingBytes = config.maxPendingBytes();
    this.lap = new FirstLap(layout, start);
    this.trimmedPosition = start.trimmedPosition();
    update(start.next().position());
  }

  public int usedBlocks() {
    return Math.toIntExact(appendPosition - trimmedPosition);
  }

  /**
   * Whether a record fits that makes the waiting batches so many blocks longer. If only because the
   * ring is not prepared, there is something {@link #toPrepare}.
   */
  public boolean fits(int moreBlocks, long framedBytes) {
    return usedBlocks() + moreBlocks <= at.limit()
        && (pendingBytes == 0 || pendingBytes + framedBytes <= maxPendingBytes)
        && lap.admits(appendPosition + moreBlocks);
  }

  /** What of the ring is to be prepared, as positions; null if nothing. */
  public @Nullable Extent toPrepare() {
    return lap.next();
  }

  /** How that ended, with its sync. */
  public void preparingEnded(Extent run, @Nullable Failure failure) {
    if (failure != null) {
      lap.notPrepared();
      refuse(failure);
      return;
    }
    lap.prepared(run);
    tellOfStep(Completion.done());
  }

  /** Calls a port when the step {@link #toPrepare} is prepared; soon, if there is none. */
  public void whenPrepared(CompletionPort<Unit> port) {
    if (toPrepare() == null) {
      // Another thread has prepared it since the caller looked.
      upcalls.accept(() -> port.complete(Completion.done()));
    } else {
      stepAsked.add(port);
    }
  }

  /** Whether all of the ring is prepared; if not, it will be. */
  public boolean wantWhole() {
    lap.wantWhole();
    return lap.next() == null;
  }

  private void tellOfStep(Completion<Unit> completion) {
    List<CompletionPort<Unit>> present = List.copyOf(stepAsked);
    stepAsked.clear();
    upcalls.accept(() -> present.forEach(port -> port.complete(completion)));
  }

  public void pendingBytesChanged(long bytes) {
    pendingBytes += bytes;
    Invariants.check(pendingBytes >= 0, "pending bytes", pendingBytes);
  }

  /**
   * Calls a port when there is room for so many blocks more, at the next {@link #update} at the
   * earliest. One asks at a time: whoever asks again takes the place of the one before.
   */
  public void tell(int blocks, long framedBytes, CompletionPort<Unit> port) {
    Invariants.check(blocks <= at.limit(), "record that never fits", blocks, at.limit());
    asked = new Asked(blocks, framedBytes, port);
    // A checkpoint that could not be taken has trimmed nothing; whoever waits asks for another.
    askAgain();
  }

  public void trim(long position) {
    Invariants.check(position >= trimmedPosition, "trim back", position, trimmedPosition);
    trimmedPosition = position;
    checkpointAsked = false;
  }

  /** Takes note of the new append position; asks for a checkpoint, and tells, as needed. */
  public void update(long position) {
    appendPosition = position;
    int used = usedBlocks();
    Invariants.check(used >= 0, "log ends before its start", position, trimmedPosition);
    // One block more would lie on one that the durable superblock still needs.
    Invariants.check(used <= logBlocks, "log overtakes its start", used, logBlocks);
    lap.cameTo(position);
    if (used >= at.workAt() && !checkpointAsked) {
      checkpointAsked = true;
      upcalls.accept(listener::checkpointWanted);
    }
    Asked present = asked;
    if (present != null && fits(present.blocks(), present.framedBytes())) {
      tell(present, Completion.done());
    }
  }

  /** Tells whoever asked that there will be no room. */
  public void refuse(Failure why) {
    if (asked != null) {
      tell(asked, Completion.failed(why));
    }
    tellOfStep(Completion.failed(why));
  }

  /** Asks for another checkpoint at the next update, for somebody who waits otherwise. */
  public void askAgain() {
    checkpointAsked = false;
  }

  private void tell(Asked present, Completion<Unit> completion) {
    asked = null;
    upcalls.accept(() -> present.port().complete(completion));
  }
}
