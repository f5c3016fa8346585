package dev.upcall.feed.answer;

import dev.upcall.base.Clock;
import dev.upcall.journal.queue.EntryQueue;
import dev.upcall.journal.queue.QueueException;
import dev.upcall.journal.queue.QueueException.Reason;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A queue into which goes what can be said, and without which all else goes on. What cannot be
 * written is kept, within a bound, and said in its order when the queue can be written again; what
 * is beyond the bound is lost and counted. A failure is logged when it begins. The queue is opened
 * when there is something to say, and again a second after its files have failed. One thread, which
 * may wait for files.
 */
public final class Outlet implements AutoCloseable {
  /** How much is kept to be said later. */
  static final long MAX_UNSAID_BYTES = 4 << 20;

  private static final System.Logger LOG = System.getLogger(Outlet.class.getName());
  private static final long REST_NANOS = 1_000_000_000;

  private final String name;
  private final Opener opener;
  private final Clock clock;
  private final ArrayDeque<Unsaid> unsaid = new ArrayDeque<>();
  private @Nullable EntryQueue queue;
  private boolean isFailing;
  private boolean isResting;
  private long restsUntilNanos;
  private long unsaidBytes;
  private long said;
  private long lost;

  /** Where the queue comes from. */
  public interface Opener {
    EntryQueue open() throws QueueException;
  }

  /** What is said. */
  interface Words {
    void say(EntryQueue to) throws QueueException;
  }

  /** What is to be said, and how much memory it takes until then. */
  private record Unsaid(long bytes, Words words) {}

  /**
   * Not yet open.
   *
   * @param name for the log, in the plural
   */
  public Outlet(String name, Opener opener, Clock clock) {
    this.name = name;
    this.opener = opener;
    this.clock = clock;
  }

  /**
   * Says something, or keeps it to be said later, or counts it as lost.
   *
   * @param bytes what it takes to keep it
   * @param words may be said again, when they failed in their midst
   */
  void say(long bytes, Words words) {
    goOn();
    if (!unsaid.isEmpty() && unsaidBytes + bytes > MAX_UNSAID_BYTES) {
      lost++;
      return;
    }
    unsaid.add(new Unsaid(bytes, words));
    unsaidBytes += bytes;
    goOn();
  }

  /** Says what was kept, if the queue may be tried again. */
  void goOn() {
    if (isResting && clock.monotonicNanos() - restsUntilNanos < 0) {
      return;
    }
    isResting = false;
    for (Unsaid next = unsaid.peekFirst(); next != null; next = unsaid.peekFirst()) {
      if (!isSaid(next.words())) {
        return;
      }
      unsaid.removeFirst();
      unsaidBytes -= next.bytes();
      said++;
    }
  }

  private boolean isSaid(Words words) {
    try {
      EntryQueue to = queue;
      if (to == null) {
        to = opener.open();
        queue = to;
      }
      words.say(to);
      isFailing = false;
      return true;
    } catch (QueueException broken) {
      fail(broken.reason(), broken.getMessage());
    } catch (InternalError unmapped) {
      // A page of a mapped file; such an error may come a little later than the write.
      fail(Reason.DISK_FULL, unmapped.getMessage());
    }
    return false;
  }

  private void fail(Reason reason, @Nullable String why) {
    if (!isFailing) {
      isFailing = true;
      LOG.log(
          System.Logger.Level.WARNING,
          "{0} cannot be written, the requests are done all the same: {1}",
          name,
          why);
    }
    if (reason != Reason.BACKLOG_FULL) {
      closeQueue();
    }
    isResting = true;
    restsUntilNanos = clock.monotonicNanos() + REST_NANOS;
  }

  /** What was said. */
  long said() {
    return said;
  }

  /** What could not be said. */
  long lost() {
    return lost;
  }

  /** Tries once more to say what was kept; the rest of it is lost. */
  @Override
  public void close() {
    isResting = false;
    goOn();
    lost += unsaid.size();
    unsaid.clear();
    closeQueue();
  }

  private void closeQueue() {
    if (queue != null) {
      queue.close();
      queue = null;
    }
  }
}
