package dev.upcall.feed;

import dev.upcall.completion.CompletionPort;
import dev.upcall.journal.queue.EntryQueue.Indexed;
import java.util.Optional;
import java.util.UUID;

/**
 * A queue that is read elsewhere, since reading waits for files. Dispatcher's thread only; one
 * request at a time; completions never come inside the call. The failure of each is {@code Device}.
 */
public interface RequestSource {
  /** Which queue. */
  UUID queue();

  /** How often it is known to have lost its end. */
  long generation();

  /** It has lost its end; gives the new generation, which is durable. */
  void nextGeneration(CompletionPort<Long> port);

  /** The entry at an index, if there is one. */
  void read(long index, CompletionPort<Optional<byte[]>> port);

  /**
   * The first entry behind an index, once there is one.
   *
   * @param index {@link dev.upcall.journal.queue.EntryQueue#NONE} for the oldest
   */
  void next(long index, CompletionPort<Indexed> port);

  /** Entries before this index are not needed any more. */
  void done(long index);
}
