package dev.upcall.journal.queue;

import dev.upcall.journal.entry.DeadLetter;
import dev.upcall.journal.entry.Decoded;
import dev.upcall.journal.entry.Entry;
import dev.upcall.journal.entry.EntryCodec;
import dev.upcall.journal.entry.EntryKind;
import dev.upcall.journal.entry.Origin;
import dev.upcall.journal.entry.Reply;
import dev.upcall.journal.entry.ReplyCodec;
import dev.upcall.journal.entry.SubmissionCodec;
import dev.upcall.request.codec.RequestDecoder;
import dev.upcall.request.codec.Submission;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * Requests that failed for good, in a queue of their own: a letter, and behind it what is kept of
 * the entries of its request. The same letter may be there several times and is listed once, as it
 * came last. Dropping one appends that it is dropped, and removes the files that hold nothing else.
 *
 * <p>One thread at a time; each call may wait for files and for other processes.
 */
public final class DeadLetters implements AutoCloseable {
  private final EntryQueue queue;

  /**
   * A letter in its place.
   *
   * @param index of the letter; it tells it from all others
   * @param submission what was asked, as far as its first entry has it; none when not even that was
   *     kept
   */
  public record Letter(long index, DeadLetter letter, Optional<Submission> submission) {
    /** Checks that nothing is missing. */
    public Letter {
      Objects.requireNonNull(letter, "letter");
      Objects.requireNonNull(submission, "submission");
    }
  }

  /** Whose request, and which: all letters with the same are one. */
  private record Identity(UUID producer, long sequence) {
    static Identity of(Entry entry) {
      return new Identity(entry.origin().producer(), entry.origin().sequence());
    }
  }

  /** Gets what is in the queue. */
  private interface Visitor {
    void visit(long index, Entry entry);
  }

  /** Takes over the queue. */
  public DeadLetters(EntryQueue queue) {
    this.queue = queue;
  }

  /**
   * Appends one.
   *
   * @param kept entries of its request, as many as it says
   */
  public void append(DeadLetter letter, List<byte[]> kept) throws QueueException {
    if (kept.size() != letter.kept()) {
      throw new IllegalArgumentException(kept.size() + " entries of " + letter.kept());
    }
    queue.append(EntryCodec.encode(ReplyCodec.encode(letter)));
    for (byte[] entry : kept) {
      queue.append(entry);
    }
  }

  /** All that are there and not dropped, oldest first. */
  public List<Letter> list() throws QueueException {
    return list(queue);
  }

  /** The same of a queue of letters that is only read. */
  public static List<Letter> list(Entries queue) throws QueueException {
    Map<Identity, Letter> letters = new LinkedHashMap<>();
    visit(
        queue,
        (index, entry) -> {
          Identity identity = Identity.of(entry);
          switch (entry.kind()) {
            case DEAD_LETTER -> {
              if (ReplyCodec.decodeLetter(entry)
                  instanceof Decoded.Value<DeadLetter>(DeadLetter letter)) {
                letters.remove(identity);
                letters.put(identity, new Letter(index, letter, Optional.empty()));
              }
            }
            case REQUEST ->
                letters.computeIfPresent(identity, (_, letter) -> withFirst(letter, entry));
            case DROPPED -> letters.remove(identity);
            case REPLY -> {
              // Nobody puts one here.
            }
          }
        });
    return List.copyOf(letters.values());
  }

  /** The submission, with its content, if it is kept as a whole. */
  public Optional<Submission> whole(Letter letter) throws QueueException {
    if (letter.submission().isEmpty() || !letter.letter().isWhole()) {
      return Optional.empty();
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    int parts = 0;
    EntryQueue.Indexed found = queue.next(letter.index());
    while (found != null && parts < letter.letter().parts()) {
      if (EntryCodec.decode(found.bytes()) instanceof Decoded.Value<Entry>(Entry entry)
          && entry.kind() == EntryKind.REQUEST
          && entry.origin().equals(letter.letter().origin())
          && entry.part() == parts) {
        all.writeBytes(entry.body());
        parts++;
      }
      found = queue.next(found.index());
    }
    return parts == letter.letter().parts()
        ? Optional.of(RequestDecoder.decode(ByteBuffer.wrap(all.toByteArray())))
        : Optional.empty();
  }

  /**
   * Those of which there is no letter with all that it says is kept, and no word that one was
   * dropped: who dies behind a letter leaves it without its entries.
   */
  public List<Reply> missing(Collection<Reply> replies) throws QueueException {
    Map<Identity, Reply> missing = new LinkedHashMap<>();
    replies.forEach(reply -> missing.put(new Identity(reply.producer(), reply.sequence()), reply));
    Map<Identity, Integer> awaited = new HashMap<>();
    visit(
        queue,
        (_, entry) -> {
          Identity identity = Identity.of(entry);
          if (!missing.containsKey(identity)) {
            return;
          }
          switch (entry.kind()) {
            case DEAD_LETTER -> {
              if (ReplyCodec.decodeLetter(entry)
                  instanceof Decoded.Value<DeadLetter>(DeadLetter letter)) {
                awaited.put(identity, letter.kept());
              }
            }
            case REQUEST -> awaited.computeIfPresent(identity, (_, left) -> left - 1);
            case DROPPED -> awaited.put(identity, 0);
            case REPLY -> {
              // Nobody puts one here.
            }
          }
          if (awaited.getOrDefault(identity, 1) == 0) {
            missing.remove(identity);
          }
        });
    return List.copyOf(missing.values());
  }

  /** Drops letters, and removes the oldest files as far as they hold only what is dropped. */
  public void drop(Collection<Letter> letters) throws QueueException {
    long last = EntryQueue.NONE;
    for (Letter letter : letters) {
      Origin origin = letter.letter().origin();
      last =
          queue.append(EntryCodec.encode(new Entry(origin, EntryKind.DROPPED, 0, 1, new byte[0])));
    }
    List<Letter> left = list();
    queue.removeBefore(left.isEmpty() ? last : left.getFirst().index());
  }

  /** Makes durable what was appended and dropped. */
  public void sync() throws QueueException {
    queue.sync();
  }

  @Override
  public void close() {
    queue.close();
  }

  private static Letter withFirst(Letter letter, Entry entry) {
    return entry.part() == 0
            && SubmissionCodec.decode(entry) instanceof Decoded.Value<Submission>(Submission first)
        ? new Letter(letter.index(), letter.letter(), Optional.of(first))
        : letter;
  }

  /** What is no entry is passed over. */
  private static void visit(Entries queue, Visitor visitor) throws QueueException {
    EntryQueue.Indexed found = queue.next(EntryQueue.NONE);
    while (found != null) {
      if (EntryCodec.decode(found.bytes()) instanceof Decoded.Value<Entry>(Entry entry)) {
        visitor.visit(found.index(), entry);
      }
      found = queue.next(found.index());
    }
  }
}
