package dev.upcall.feed.answer;

import dev.upcall.journal.queue.EntryQueue;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Producers whose ids nobody uses any more, and where what they have put in ends. All of it is gone
 * from the queue when that begins behind. One thread at a time.
 */
public final class Retired {
  private final Map<UUID, Long> lasts = new LinkedHashMap<>();

  /** Nobody yet. */
  public Retired() {}

  /** Sees to it that nobody uses an id again; whether that is so. */
  public interface Retiring {
    boolean retire(UUID producer) throws IOException;
  }

  /** Whether nothing of a producer is in the queue, nor ever comes into it again. */
  public boolean isGone(UUID producer, EntryQueue queue, Retiring retiring) throws IOException {
    Long last = lasts.get(producer);
    if (last == null) {
      if (retiring.retire(producer)) {
        // After that: whoever had the id may have put something in until then.
        lasts.put(producer, queue.bounds().last());
      }
      return false;
    }
    boolean isGone = queue.bounds().first() > last;
    if (isGone) {
      lasts.remove(producer);
    }
    return isGone;
  }
}
