package dev.upcall.txn.log;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.txn.volume.VolumeLayout;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/**
 * How full the ring and the memory before it are: says no at seven eighths (or when too many bytes
 * wait to become durable), asks for a checkpoint at half, and wakes those who parked, first come
 * first served. The last eighth is for marks.
 */
public final class LogRoom {
  private record Parked(int blocks, long framedBytes, CompletionPort<Unit> port) {}

  private final Consumer<Runnable> upcalls;
  private final LogListener listener;
  private final int logBlocks;
  private final int parkBlocks;
  private final int checkpointBlocks;
  private final int maxPendingBytes;
  private final ArrayDeque<Parked> parked = new ArrayDeque<>();
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
    this.parkBlocks = logBlocks - Math.max(1, logBlocks / 8);
    this.checkpointBlocks = logBlocks / 2;
    this.maxPendingBytes = config.maxPendingBytes();
    this.trimmedPosition = start.trimmedPosition();
    update(start.next().position());
  }

  public int usedBlocks() {
    return Math.toIntExact(appendPosition - trimmedPosition);
  }

  /** Whether a record fits that makes the waiting batches so many blocks longer. */
  public boolean fits(int moreBlocks, long framedBytes) {
    return usedBlocks() + moreBlocks <= parkBlocks
        && (pendingBytes == 0 || pendingBytes + framedBytes <= maxPendingBytes);
  }

  public void pendingBytesChanged(long bytes) {
    pendingBytes += bytes;
    Invariants.check(pendingBytes >= 0, "pending bytes", pendingBytes);
  }

  /** Calls a port when there is room for so many blocks more. */
  public void park(int blocks, long framedBytes, CompletionPort<Unit> port) {
    Invariants.check(blocks <= parkBlocks, "record that never fits", blocks, parkBlocks);
    parked.addLast(new Parked(blocks, framedBytes, port));
    // A checkpoint that could not be taken has trimmed nothing; whoever waits asks for another.
    checkpointAsked = false;
  }

  public void trim(long position) {
    Invariants.check(position >= trimmedPosition, "trim back", position, trimmedPosition);
    trimmedPosition = position;
    checkpointAsked = false;
  }

  /** Takes note of the new append position; asks for a checkpoint and wakes as needed. */
  public void update(long position) {
    appendPosition = position;
    int used = usedBlocks();
    Invariants.check(used >= 0, "log ends before its start", position, trimmedPosition);
    // One block more would lie on one that the durable superblock still needs.
    Invariants.check(used <= logBlocks, "log overtakes its start", used, logBlocks);
    if (used >= checkpointBlocks && !checkpointAsked) {
      checkpointAsked = true;
      upcalls.accept(listener::checkpointWanted);
    }
    // In the order in which they came, and counted together: none has appended yet.
    long wokenBlocks = 0;
    long wokenBytes = 0;
    for (Parked first = parked.peekFirst(); first != null; first = parked.peekFirst()) {
      wokenBlocks += first.blocks();
      if (used + wokenBlocks > parkBlocks) {
        return;
      }
      wokenBytes += first.framedBytes();
      if (pendingBytes > 0 && pendingBytes + wokenBytes > maxPendingBytes) {
        return;
      }
      parked.removeFirst();
      complete(first.port(), Completion.done());
    }
  }

  public void failParked(Failure why) {
    for (Parked one : parked) {
      complete(one.port(), Completion.failed(why));
    }
    parked.clear();
  }

  /** Asks for another checkpoint at the next update, for somebody who waits otherwise. */
  public void askAgain() {
    checkpointAsked = false;
  }

  private void complete(CompletionPort<Unit> port, Completion<Unit> completion) {
    upcalls.accept(() -> port.complete(completion));
  }
}
