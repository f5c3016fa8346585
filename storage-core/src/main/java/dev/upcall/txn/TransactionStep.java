package dev.upcall.txn;

import dev.upcall.content.StagedContent;
import dev.upcall.txn.lock.LockKey;
import dev.upcall.txn.lock.Purpose;
import java.util.List;

/**
 * One change inside a transaction.
 *
 * @param purpose what it does, for messages about locks: a few words with the path
 * @param change what it does, planned twice: now, on what the transaction sees, and again at the
 *     commit, on what is there then. Both plans must give the same names and segments, and only
 *     then does the transaction commit; so nothing but the view may decide what it does
 * @param content what it gives to segments; used up whatever the outcome
 * @param <T> what it gives back
 */
public record TransactionStep<T>(
    String purpose, SegmentChange<T> change, List<StagedContent> content) implements Purpose {
  /** Copies the list. */
  public TransactionStep {
    content = List.copyOf(content);
  }

  @Override
  public String nameOf(LockKey key) {
    return change.nameOf(key);
  }

  public void discard() {
    content.forEach(StagedContent::discard);
  }
}
