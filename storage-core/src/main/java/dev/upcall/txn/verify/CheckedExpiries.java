package dev.upcall.txn.verify;

import dev.upcall.base.Checksums;
import dev.upcall.segment.layout.Inode;
import dev.upcall.txn.ExpiryKeys;
import java.util.Arrays;
import java.util.BitSet;

/**
 * What a verification has seen of expiries: every inode that has one must have exactly one entry in
 * their tree, which names the same time and the file's name. Takes about 20 bytes for such a file.
 */
final class CheckedExpiries {
  private final BlockLedger ledger;
  private final BitSet seen = new BitSet();
  private long[] ids = new long[16];
  private long[] times = new long[16];
  private int[] names = new int[16];
  private int count;

  CheckedExpiries(BlockLedger ledger) {
    this.ledger = ledger;
  }

  /** An inode; they come in the order of their ids, before all names and entries. */
  void inode(Inode inode) {
    if (!inode.times().hasExpiry()) {
      return;
    }
    if (count == ids.length) {
      ids = Arrays.copyOf(ids, 2 * count);
      times = Arrays.copyOf(times, 2 * count);
      names = Arrays.copyOf(names, 2 * count);
    }
    ids[count] = inode.id();
    times[count] = inode.times().expiresNanos();
    count++;
  }

  /** A name that leads to a segment. */
  void name(byte[] key, long id) {
    int at = Arrays.binarySearch(ids, 0, count, id);
    if (at >= 0) {
      names[at] = hash(key);
    }
  }

  /** An entry of the tree; all names have come before. */
  void entry(byte[] key, byte[] value) {
    if (key.length != ExpiryKeys.BYTES) {
      throw new IllegalArgumentException("key of " + key.length + " bytes");
    }
    long id = ExpiryKeys.id(key);
    int at = Arrays.binarySearch(ids, 0, count, id);
    if (at < 0 || times[at] != ExpiryKeys.expiresNanos(key)) {
      ledger.problem(
          0,
          "segment %d is to expire at %d, but does not exist or says otherwise"
              .formatted(id, ExpiryKeys.expiresNanos(key)));
      return;
    }
    seen.set(at);
    if (names[at] != hash(value)) {
      ledger.problem(0, "the expiry of segment " + id + " does not know its name");
    }
  }

  /** At the end: every expiry must have had its entry. */
  void findMissing() {
    for (int at = seen.nextClearBit(0); at < count; at = seen.nextClearBit(at + 1)) {
      ledger.problem(
          0, "segment %d expires at %d, and nothing will notice".formatted(ids[at], times[at]));
    }
  }

  private static int hash(byte[] name) {
    return Checksums.crc32c(name);
  }
}
