package dev.upcall.feed.answer;

import dev.upcall.FileVersion;
import dev.upcall.journal.entry.Reply;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What came of a request.
 *
 * @param sequence which request of its producer
 * @param file what it made or changed last; zeros if nothing is left of it
 * @param failure why it was not done and never will be; null when it was done
 */
public record Outcome(long sequence, FileVersion file, Reply.@Nullable Failed failure) {
  /** No file. */
  public static final FileVersion NOTHING = new FileVersion(0, 0);

  /** Whether it was done. */
  public boolean isDone() {
    return failure == null;
  }

  /** The failure as a sentence; empty when it was done. */
  public String why() {
    return failure == null ? "" : failure.message();
  }

  /** What its producer is told. */
  Reply reply(UUID queue, UUID producer) {
    Optional<FileVersion> left = Optional.of(file).filter(version -> !version.equals(NOTHING));
    return new Reply(queue, producer, sequence, failure == null ? new Reply.Done(left) : failure);
  }
}
