package dev.upcall.feed;

import dev.upcall.completion.CompletionPort;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A queue that is read and decoded elsewhere, since reading waits for files. Dispatcher's thread
 * only; completions never come inside the call. The failure of each is {@code Device}.
 */
public interface RequestSource {
  /** Which queue. */
  UUID queue();

  /** How often it is known to have lost its end. */
  long generation();

  /** It has lost its end; gives the new generation, which is durable. */
  void nextGeneration(CompletionPort<Long> port);

  /** The entry at an index, if there is one; also while {@link #next} waits. */
  void read(long index, CompletionPort<Optional<Arrival>> port);

  /**
   * The first entries behind an index, as many as there are up to some limit, once there is one.
   * One such request at a time.
   *
   * @param index {@link dev.upcall.journal.queue.EntryQueue#NONE} for the oldest
   */
  void next(long index, CompletionPort<List<Arrival>> port);

  /** Who has ever put something in, as far as that is known; never fails. */
  void producers(CompletionPort<List<UUID>> port);

  /**
   * Sees to it that nobody ever uses a producer's id again, and says whether that is so and nothing
   * that was put in under it can still be in the queue; to be asked again while it is not.
   *
   * @param upTo all that it has put in up to that index is done; the id stays if there is more in
   *     the queue
   */
  void expire(UUID producer, long upTo, CompletionPort<Boolean> port);

  /** Nothing is known of a producer any more. */
  void forget(UUID producer);

  /** What it has behind the entries that {@link #next} gave, as far as that is known. */
  Backlog unread();

  /** Entries before this index are not needed any more. */
  void done(long index);
}
