package dev.upcall.txn.log;

import dev.upcall.base.Invariants;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.txn.volume.VolumeLayout;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The batches that have not been started yet, in order, of which the last is filling, and the
 * buffers for them. Records that share a batch share a write; a record larger than the usual batch
 * gets one of its own.
 */
public final class PendingBatches {
  private static final int POOLED_BUFFERS = 4;

  private final ArrayDeque<LogBatch> waiting = new ArrayDeque<>();
  private final ArrayDeque<ByteBuffer> pool = new ArrayDeque<>();
  private final int usualBytes;
  private final int maxBytes;
  private int waitingBlocks;

  public PendingBatches(LogConfig config, VolumeLayout layout) {
    maxBytes = layout.maxBatchBlocks() * Disk.BLOCK_BYTES;
    int target = BatchHeader.blocksOf(config.batchTargetBytes()) * Disk.BLOCK_BYTES;
    usualBytes = Math.min(target, maxBytes);
  }

  /** The most bytes of one framed record. */
  public int maxFramedBytes() {
    return maxBytes - BatchHeader.BYTES;
  }

  public boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** How many batches are waiting. */
  public int count() {
    return waiting.size();
  }

  /** Blocks of log that the waiting batches will take. */
  public int blocks() {
    return waitingBlocks;
  }

  /** Blocks of log that they will take more with one more record. */
  public int moreBlocks(long framedBytes) {
    LogBatch last = waiting.peekLast();
    return last != null && last.fits(framedBytes)
        ? BatchHeader.blocksOf(last.bytes() + framedBytes) - last.blocks()
        : BatchHeader.blocksOf(BatchHeader.BYTES + framedBytes);
  }

  /** Copies a record into the filling batch or a new one. */
  public void add(
      long scn,
      ByteBuffer record,
      List<NamedExtent> named,
      CompletionPort<Unit> durable,
      long asker) {
    long framedBytes = LogFrames.bytes(record.remaining(), named);
    Invariants.check(framedBytes <= maxFramedBytes(), "record too large", framedBytes);
    waitingBlocks += moreBlocks(framedBytes);
    LogBatch last = waiting.peekLast();
    if (last == null || !last.fits(framedBytes)) {
      last = new LogBatch(bufferFor(framedBytes));
      waiting.addLast(last);
    }
    last.add(scn, record, named, durable, asker);
  }

  /** Lets a barrier complete with the last batch. Not when empty. */
  public void addBarrier(CompletionPort<Unit> port, long asker) {
    waiting.getLast().addBarrier(port, asker);
  }

  /** Takes the first batch out, to be written; null when there is none. */
  @Nullable public LogBatch poll() {
    LogBatch first = waiting.pollFirst();
    if (first != null) {
      waitingBlocks -= first.blocks();
    }
    return first;
  }

  /** A batch without records. */
  public LogBatch emptyBatch() {
    return new LogBatch(bufferFor(0));
  }

  /** Takes back the buffer of a batch that is done. */
  public void recycle(LogBatch batch) {
    ByteBuffer buffer = batch.buffer();
    if (buffer.capacity() == usualBytes && pool.size() < POOLED_BUFFERS) {
      pool.addLast(buffer);
    }
  }

  private ByteBuffer bufferFor(long framedBytes) {
    int needed = BatchHeader.blocksOf(BatchHeader.BYTES + framedBytes) * Disk.BLOCK_BYTES;
    if (needed > usualBytes) {
      return Disk.newBuffer(needed);
    }
    ByteBuffer pooled = pool.pollLast();
    return pooled != null ? pooled : Disk.newBuffer(usualBytes);
  }
}
