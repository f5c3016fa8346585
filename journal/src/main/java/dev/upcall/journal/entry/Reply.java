package dev.upcall.journal.entry;

import dev.upcall.FileVersion;
import dev.upcall.completion.Failure;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * What became of a request, for good. A request may get the same reply several times, never two
 * that differ.
 *
 * @param queue where it was asked
 * @param producer who asked
 * @param sequence the producer's number of the request
 */
public record Reply(UUID queue, UUID producer, long sequence, Result result) {

  /** Whether it was done. */
  public sealed interface Result {}

  /**
   * It was done.
   *
   * @param file the last file that it made or changed, as it left it; none when nothing is left of
   *     it
   */
  public record Done(Optional<FileVersion> file) implements Result {
    /** Checks that nothing is missing. */
    public Done {
      Objects.requireNonNull(file, "file");
    }
  }

  /**
   * It was not done, nothing of it, and never will be.
   *
   * @param message a sentence for a person, at most {@link #MAX_CHARS} characters
   */
  public record Failed(FailureCode code, String message) implements Result {
    /** The longest message. */
    public static final int MAX_CHARS = 100;

    /** Why the store will never do it; throws for a failure that may pass. */
    public static Failed of(Failure why) {
      return new Failed(FailureCode.of(why), why.message());
    }

    /** Cuts the message, between two characters. */
    public Failed {
      if (message.length() > MAX_CHARS) {
        boolean splits = Character.isHighSurrogate(message.charAt(MAX_CHARS - 1));
        message = message.substring(0, splits ? MAX_CHARS - 1 : MAX_CHARS);
      }
    }
  }
}
