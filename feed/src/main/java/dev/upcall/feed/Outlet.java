package dev.upcall.feed;

import dev.upcall.base.Clock;
import dev.upcall.journal.queue.EntryQueue;
import dev.upcall.journal.queue.QueueException;
import dev.upcall.journal.queue.QueueException.Reason;
import org.jspecify.annotations.Nullable;

/**
 * A queue into which goes what can be said, and without which all else goes on: what fails is
 * counted, and logged when it begins to. It is opened when there is something to say, and again a
 * second after its files have failed. One thread, which may wait for files.
 */
final class Outlet implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Outlet.class.getName());
  private static final long REST_NANOS = 1_000_000_000;

  private final String name;
  private final Opener opener;
  private final Clock clock;
  private @Nullable EntryQueue queue;
  private boolean isFailing;
  private boolean isResting;
  private long restsUntilNanos;
  private long said;
  private long lost;

  /** Where the queue comes from. */
  interface Opener {
    EntryQueue open() throws QueueException;
  }

  /** What is said. */
  interface Words {
    void say(EntryQueue to) throws QueueException;
  }

  /**
   * Not yet open.
   *
   * @param name for the log, in the plural
   */
  Outlet(String name, Opener opener, Clock clock) {
    this.name = name;
    this.opener = opener;
    this.clock = clock;
  }

  /** Says something, or counts it as lost. */
  void say(Words words) {
    if (isResting && clock.monotonicNanos() - restsUntilNanos < 0) {
      lost++;
      return;
    }
    isResting = false;
    try {
      EntryQueue to = queue;
      if (to == null) {
        to = opener.open();
        queue = to;
      }
      words.say(to);
      said++;
      isFailing = false;
    } catch (QueueException broken) {
      fail(broken);
    }
  }

  private void fail(QueueException broken) {
    lost++;
    if (!isFailing) {
      isFailing = true;
      LOG.log(
          System.Logger.Level.WARNING,
          "{0} cannot be written, the requests are done all the same: {1}",
          name,
          broken.getMessage());
    }
    if (broken.reason() != Reason.BACKLOG_FULL) {
      close();
      isResting = true;
      restsUntilNanos = clock.monotonicNanos() + REST_NANOS;
    }
  }

  /** What was said. */
  long said() {
    return said;
  }

  /** What could not be said. */
  long lost() {
    return lost;
  }

  @Override
  public void close() {
    if (queue != null) {
      queue.close();
      queue = null;
    }
  }
}
