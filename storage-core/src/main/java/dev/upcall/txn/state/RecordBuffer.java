package dev.upcall.txn.state;

import dev.upcall.base.Invariants;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Memory in which log records are encoded, one after the other: a log copies what is appended to
 * it, so the next record may take the place of the last. One record at a time.
 */
public final class RecordBuffer {
  /** What is kept; a longer record gets memory of its own. */
  private static final int KEPT_BYTES = 128 << 10;

  private ByteBuffer kept = newBuffer(0);

  /** The record of these steps, until the next call. */
  public ByteBuffer encode(List<Op> ops) {
    int bytes = Math.toIntExact(RecordCodec.sizeBytes(ops));
    ByteBuffer record = take(bytes);
    RecordCodec.encode(ops, record);
    Invariants.check(!record.hasRemaining(), "size of a log record", bytes, record.position());
    return record.flip();
  }

  private ByteBuffer take(int bytes) {
    if (bytes > KEPT_BYTES) {
      return newBuffer(bytes);
    }
    if (kept.capacity() < bytes) {
      kept = newBuffer(Math.min(KEPT_BYTES, Math.max(bytes, 2 * kept.capacity())));
    }
    return kept.clear().limit(bytes);
  }

  private static ByteBuffer newBuffer(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
