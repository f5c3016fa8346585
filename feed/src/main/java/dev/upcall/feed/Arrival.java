package dev.upcall.feed;

import dev.upcall.journal.entry.Decoded;
import dev.upcall.journal.entry.Entry;
import dev.upcall.journal.entry.EntryCodec;
import dev.upcall.journal.entry.EntryKind;
import dev.upcall.journal.entry.SubmissionCodec;
import dev.upcall.journal.queue.EntryQueue.Indexed;
import dev.upcall.request.codec.Submission;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What was found at an index of a queue, checked and decoded off the dispatcher. */
public sealed interface Arrival {
  /** Where it is. */
  long index();

  /** The checksum that it says it has; 0 for what is no entry: whoever looks for it begins anew. */
  int checksum();

  /**
   * A request or a part of one.
   *
   * @param work what is asked; null for a further part
   */
  record Part(long index, int checksum, Entry entry, @Nullable Work work) implements Arrival {}

  /**
   * Nothing that can be done.
   *
   * @param isEntry whether it is an entry all the same
   * @param why a sentence for a person
   */
  record Unreadable(long index, int checksum, boolean isEntry, String why) implements Arrival {}

  /** Whether it is an entry, with the checksum that it says it has. */
  default boolean isEntry() {
    return true;
  }

  /** Decodes an entry. Pure. */
  static Arrival of(Indexed found, UUID queue) {
    byte[] bytes = found.bytes();
    if (found.damagedBytes() > 0) {
      String why = "DAMAGED: %d bytes of the file".formatted(found.damagedBytes());
      return new Unreadable(found.index(), 0, false, why);
    }
    int checksum = bytes.length >= EntryCodec.HEAD_BYTES ? EntryCodec.checksumOf(bytes) : 0;
    return switch (EntryCodec.decode(bytes)) {
      case Decoded.Refused<Entry>(Decoded.Reason reason, String message) ->
          new Unreadable(found.index(), checksum, false, reason + ": " + message);
      case Decoded.Value<Entry>(Entry entry) -> of(found.index(), checksum, entry, queue);
    };
  }

  private static Arrival of(long index, int checksum, Entry entry, UUID queue) {
    if (!entry.origin().queue().equals(queue)) {
      return new Unreadable(index, checksum, true, "of another queue, " + entry.origin().queue());
    }
    if (entry.kind() != EntryKind.REQUEST) {
      return new Unreadable(index, checksum, true, "no request but " + entry.kind());
    }
    if (entry.part() > 0) {
      return new Part(index, checksum, entry, null);
    }
    return switch (SubmissionCodec.decode(entry)) {
      case Decoded.Refused<Submission>(Decoded.Reason reason, String message) ->
          new Unreadable(index, checksum, true, reason + ": " + message);
      case Decoded.Value<Submission>(Submission submission) ->
          new Part(index, checksum, entry, Work.of(submission));
    };
  }
}
