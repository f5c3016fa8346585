package dev.upcall.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.journal.queue.EntryQueue;
import dev.upcall.journal.queue.EntryQueue.Indexed;
import dev.upcall.journal.queue.ModelStorage;
import dev.upcall.journal.queue.QueueException;
import org.junit.jupiter.api.Test;

/** What is counted of a queue before a feed gets it. */
class UnreadTest {
  private static final int SLICE = 4096;

  private final EntryQueue queue = new ModelStorage().open();
  private final Unread unread = new Unread();

  @Test
  void whatIsBehindTheFeedIsCountedInSlices() throws QueueException {
    for (int i = 0; i < SLICE + 10; i++) {
      queue.append(new byte[3]);
    }
    // Where the feed begins is not known yet.
    assertFalse(unread.count(queue));
    assertEquals(Backlog.NONE, unread.backlog());
    unread.begin(EntryQueue.NONE);
    assertTrue(unread.count(queue));
    assertEquals(new Backlog(SLICE, 3 * SLICE), unread.backlog());
    assertFalse(unread.count(queue));
    assertEquals(new Backlog(SLICE + 10, 3 * (SLICE + 10)), unread.backlog());
    Indexed first = queue.next(EntryQueue.NONE);
    unread.begin(EntryQueue.NONE);
    unread.given(first);
    assertEquals(new Backlog(SLICE + 9, 3 * (SLICE + 9)), unread.backlog());
    queue.append(new byte[5]);
    assertFalse(unread.count(queue));
    assertEquals(new Backlog(SLICE + 10, 3 * (SLICE + 9) + 5), unread.backlog());
  }

  @Test
  void whatIsGivenBeforeItIsCountedIsNotCounted() throws QueueException {
    for (int i = 0; i < 5; i++) {
      queue.append(new byte[3]);
    }
    unread.begin(EntryQueue.NONE);
    long third = EntryQueue.NONE;
    for (int i = 0; i < 3; i++) {
      Indexed next = queue.next(third);
      unread.given(next);
      third = next.index();
      assertEquals(Backlog.NONE, unread.backlog());
    }
    unread.begin(third);
    assertFalse(unread.count(queue));
    assertEquals(new Backlog(2, 6), unread.backlog());
  }
}
