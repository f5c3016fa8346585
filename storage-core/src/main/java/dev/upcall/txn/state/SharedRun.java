package dev.upcall.txn.state;

import dev.upcall.base.Invariants;
import dev.upcall.segment.layout.TreeKeys;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Neighbouring blocks with the same number of users, as tree 7 keeps them: the key is the last
 * block (u64, big-endian), so that the first entry from a block on is the one that covers it, or
 * the next one; the value is {@code u64 blocks | u32 users}, little-endian. Blocks without an entry
 * have one user or none.
 *
 * @param block the first
 * @param blocks how many
 * @param users at least two
 */
public record SharedRun(long block, long blocks, int users) {
  private static final int VALUE_BYTES = 12;

  public SharedRun {
    Invariants.check(block >= 0 && blocks > 0 && users > 1, "not a shared run", block, blocks);
  }

  public long end() {
    return block + blocks;
  }

  public byte[] key() {
    return TreeKeys.of(end() - 1);
  }

  public byte[] value() {
    return ByteBuffer.allocate(VALUE_BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(blocks)
        .putInt(users)
        .array();
  }

  /**
   * Reads an entry.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static SharedRun decode(byte[] key, byte[] value) {
    if (key.length != Long.BYTES || value.length != VALUE_BYTES) {
      throw new IllegalArgumentException(
          "shared run of %d and %d bytes".formatted(key.length, value.length));
    }
    ByteBuffer in = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
    long last = TreeKeys.id(key);
    long blocks = in.getLong();
    int users = in.getInt();
    if (last < 0 || blocks <= 0 || blocks - 1 > last || users < 2) {
      throw new IllegalArgumentException(
          "shared run of %d blocks up to %d with %d users".formatted(blocks, last, users));
    }
    return new SharedRun(last - blocks + 1, blocks, users);
  }
}
