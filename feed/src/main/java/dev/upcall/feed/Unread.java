package dev.upcall.feed;

import dev.upcall.journal.queue.EntryQueue;
import dev.upcall.journal.queue.EntryQueue.Indexed;
import dev.upcall.journal.queue.QueueException;

/**
 * What a queue has behind the entries that were given to a feed. It is counted ahead of them, some
 * of it at a time, so that it may be less than there is for a while. One thread at a time.
 */
final class Unread {
  private static final int MAX_ENTRIES = 4096;
  private static final long MAX_BYTES = 4 << 20;

  /** The last entry that was counted, or given. */
  private long counted = EntryQueue.NONE;

  private Backlog backlog = Backlog.NONE;
  private boolean hasBegun;

  /** As far as it was counted. */
  Backlog backlog() {
    return backlog;
  }

  /** The feed has had all up to that index; before the first time nothing is counted. */
  void begin(long index) {
    if (!hasBegun || index > counted) {
      hasBegun = true;
      counted = index;
      backlog = Backlog.NONE;
    }
  }

  /** The feed gets that entry. */
  void given(Indexed entry) {
    if (entry.index() > counted) {
      begin(entry.index());
    } else {
      backlog = backlog.plus(-1, -Backlog.bytes(entry));
    }
  }

  /** Counts on; whether there is more. */
  boolean count(EntryQueue queue) throws QueueException {
    if (!hasBegun) {
      return false;
    }
    long bytes = 0;
    for (int i = 0; i < MAX_ENTRIES && bytes < MAX_BYTES; i++) {
      Indexed next = queue.next(counted);
      if (next == null) {
        return false;
      }
      backlog = backlog.with(next);
      bytes += Backlog.bytes(next);
      counted = next.index();
    }
    return true;
  }
}
