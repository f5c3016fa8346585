package dev.upcall.txn.verify;

import dev.upcall.segment.layout.KnownContent;

/**
 * The known contents that a verification has seen: each is well formed, and there are as many as
 * their number says. Whether files still have them is not asked: they promise nothing.
 */
final class CheckedContents {
  private final BlockLedger ledger;
  private long said;
  private long found;

  CheckedContents(BlockLedger ledger) {
    this.ledger = ledger;
  }

  /** The next entry. */
  void entry(byte[] key, byte[] value) {
    if (KnownContent.isCount(key)) {
      said = KnownContent.count(value);
    } else {
      KnownContent.of(key, value);
      found++;
    }
  }

  /** How many there are. */
  long count() {
    return found;
  }

  /** At the end. */
  void compare() {
    if (said != found) {
      ledger.problem(0, "%d contents are known, said are %d".formatted(found, said));
    }
  }
}
