package dev.upcall.txn.log;

import dev.upcall.completion.Failure;
import dev.upcall.io.Disk;
import dev.upcall.txn.volume.LogPoint;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** What is said of a batch that was durable once and is not right any more. */
final class LogDamage {
  private LogDamage() {}

  /**
   * The failure.
   *
   * @param end where the chain of batches that are right ends
   * @param at the position of the damage
   * @param bytes what is there
   * @param head the batch's header, or null where there is none
   */
  static Failure of(
      LogEnvironment env, LogPoint end, long at, ByteBuffer bytes, @Nullable BatchHeader head) {
    String what =
        "log batch at position %d (a later batch proves that it was durable; opened read-only, the store shows what was committed before)"
            .formatted(at);
    long offset = env.layout().logBlock(at) * Disk.BLOCK_BYTES;
    long expected = Integer.toUnsignedLong(BatchHeader.MAGIC);
    long found = Integer.toUnsignedLong(bytes.getInt(0));
    if (head != null && !head.follows(end)) {
      expected = end.sequence();
      found = head.at().sequence();
    } else if (head != null) {
      expected = Integer.toUnsignedLong(head.crc());
      found = Integer.toUnsignedLong(head.computeCrc(bytes));
    }
    return new Failure.Corrupt(env.disk().name(), what, offset, expected, found);
  }
}
