package dev.upcall.feed;

import dev.upcall.journal.queue.EntryQueue.Indexed;

/**
 * What of a queue is not done.
 *
 * @param entries requests have one or more; a damaged range counts as one
 * @param bytes of them
 */
public record Backlog(long entries, long bytes) {
  /** All is done. */
  public static final Backlog NONE = new Backlog(0, 0);

  /** With another entry. */
  public Backlog with(Indexed entry) {
    return new Backlog(entries + 1, bytes + bytes(entry));
  }

  Backlog plus(long moreEntries, long moreBytes) {
    return new Backlog(entries + moreEntries, bytes + moreBytes);
  }

  static long bytes(Indexed entry) {
    return entry.bytes().length + entry.damagedBytes();
  }
}
