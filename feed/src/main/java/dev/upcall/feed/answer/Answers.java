package dev.upcall.feed.answer;

import dev.upcall.journal.entry.DeadLetter;
import dev.upcall.journal.entry.Decoded;
import dev.upcall.journal.entry.Entry;
import dev.upcall.journal.entry.EntryCodec;
import dev.upcall.journal.entry.EntryKind;
import dev.upcall.journal.entry.Origin;
import dev.upcall.journal.entry.Reply;
import dev.upcall.journal.entry.ReplyCodec;
import dev.upcall.journal.queue.DeadLetters;
import dev.upcall.journal.queue.EntryQueue;
import dev.upcall.journal.queue.EntryQueue.Indexed;
import dev.upcall.journal.queue.QueueException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Says what became of requests that are durable in the store: first dead letters of those that
 * failed, then replies to all. When the feed is opened it says again what the store has noted of
 * each producer, since nobody knows how much of it was said: a reply is then there twice, and the
 * same; a letter is made where there is none. One thread, which may wait for files.
 */
public final class Answers implements AutoCloseable {
  /** The oldest replies go when all have more. */
  static final long KEPT_REPLY_BYTES = 1L << 30;

  private static final System.Logger LOG = System.getLogger(Answers.class.getName());

  /** What the words of an answer take beside its bytes, while they wait to be said. */
  private static final long LITTLE_BYTES = 200;

  /** How much is said before that is looked at. */
  private static final long LOOK_BYTES = 1 << 20;

  private final UUID queue;
  private final EntryQueue requests;
  private final Outlet replies;
  private final Outlet letters;

  /** Requests that failed before the opening. */
  private final List<Reply> failed = new ArrayList<>();

  private long sinceLook;

  /**
   * Nothing is said yet.
   *
   * @param queue the id of the requests' queue
   * @param requests that queue; the caller's to close
   */
  public Answers(UUID queue, EntryQueue requests, Outlet replies, Outlet letters) {
    this.queue = queue;
    this.requests = requests;
    this.replies = replies;
    this.letters = letters;
  }

  /** Of requests that came to their end just now. */
  public void answer(List<Settled> settled) {
    for (Settled each : settled) {
      Reply.Failed why = each.outcome().failure();
      if (why != null) {
        List<byte[]> kept = kept(each.indexes());
        long bytes = LITTLE_BYTES + kept.stream().mapToLong(entry -> entry.length).sum();
        letters.say(
            bytes, to -> bury(new DeadLetters(to), each.origin(), why, each.indexes(), kept));
      }
    }
    for (Settled each : settled) {
      reply(each.outcome().reply(queue, each.origin().producer()));
    }
  }

  /**
   * Of requests that came to their end before the feed was opened.
   *
   * @param outcomes of one producer, oldest first
   */
  public void again(UUID producer, List<Outcome> outcomes) {
    for (Outcome outcome : outcomes) {
      Reply said = outcome.reply(queue, producer);
      reply(said);
      if (!outcome.isDone()) {
        failed.add(said);
      }
    }
  }

  /** All producers were heard of again. */
  public void endOfAgain() {
    if (!failed.isEmpty()) {
      List<Reply> maybeMissing = List.copyOf(failed);
      letters.say(
          LITTLE_BYTES * maybeMissing.size(), to -> buryMissing(new DeadLetters(to), maybeMissing));
      failed.clear();
    }
  }

  /** Says what could not be said before, if it can be by now. */
  public void goOn() {
    letters.goOn();
    replies.goOn();
  }

  /** What was said, and what could not be. */
  public AnswerCounts counts() {
    return new AnswerCounts(replies.said(), replies.lost(), letters.said(), letters.lost());
  }

  @Override
  public void close() {
    replies.close();
    letters.close();
  }

  private void reply(Reply reply) {
    byte[] bytes = EntryCodec.encode(ReplyCodec.encode(reply));
    sinceLook += bytes.length;
    replies.say(
        LITTLE_BYTES + bytes.length,
        to -> {
          to.append(bytes);
          if (sinceLook >= LOOK_BYTES) {
            sinceLook = 0;
            to.keep(KEPT_REPLY_BYTES);
          }
        });
  }

  /** What is kept of a request, while its entries are sure to be there; nothing if they are not. */
  private List<byte[]> kept(List<Long> indexes) {
    List<byte[]> kept = new ArrayList<>();
    try {
      for (long index : indexes.subList(0, DeadLetter.keptOf(indexes.size()))) {
        byte[] entry = requests.read(index);
        if (entry == null) {
          return List.of();
        }
        kept.add(entry);
      }
    } catch (QueueException unreadable) {
      LOG.log(
          System.Logger.Level.WARNING,
          "a dead letter has nothing of its request: {0}",
          unreadable.getMessage());
      return List.of();
    }
    return kept;
  }

  private static void bury(
      DeadLetters to, Origin origin, Reply.Failed why, List<Long> indexes, List<byte[]> kept)
      throws QueueException {
    to.append(new DeadLetter(origin, indexes.getLast(), why, indexes.size(), kept.size()), kept);
  }

  /** Their entries are still in the queue: they go only when all have heard of them. */
  private void buryMissing(DeadLetters to, List<Reply> of) throws QueueException {
    Map<Asker, Found> missing = new LinkedHashMap<>();
    for (Reply each : to.missing(of)) {
      if (each.result() instanceof Reply.Failed why) {
        missing.put(new Asker(each.producer(), each.sequence()), new Found(why));
      }
    }
    find(missing);
    for (Map.Entry<Asker, Found> each : missing.entrySet()) {
      Found found = each.getValue();
      Origin origin = found.origin();
      if (origin != null) {
        bury(to, origin, found.why, found.indexes, kept(found.indexes));
      } else {
        // A loss of power took them; their producer may put them in again.
        Origin known = new Origin(queue, 0, each.getKey().producer(), 0, each.getKey().sequence());
        to.append(new DeadLetter(known, EntryQueue.NONE, found.why, 1, 0), List.of());
      }
    }
  }

  /** Looks for all of them at once: the queue may be long. */
  private void find(Map<Asker, Found> wanted) throws QueueException {
    int left = wanted.size();
    long at = EntryQueue.NONE;
    while (left > 0) {
      Indexed found = requests.next(at);
      if (found == null) {
        return;
      }
      at = found.index();
      if (EntryCodec.decode(found.bytes()) instanceof Decoded.Value<Entry>(Entry entry)
          && entry.kind() == EntryKind.REQUEST) {
        Found of = wanted.get(new Asker(entry.origin().producer(), entry.origin().sequence()));
        left -= of != null && of.completes(entry, at) ? 1 : 0;
      }
    }
  }

  /** Who asked what. */
  private record Asker(UUID producer, long sequence) {}

  /** Where a request is: the first time that all its entries are there. */
  private static final class Found {
    private final Reply.Failed why;
    private final List<Long> indexes = new ArrayList<>();
    private @Nullable Origin first;
    private int parts;

    Found(Reply.Failed why) {
      this.why = why;
    }

    /** Whose it is when all of it is there; else null. */
    @Nullable Origin origin() {
      return isWhole() ? first : null;
    }

    private boolean isWhole() {
      return parts > 0 && indexes.size() == parts;
    }

    /** Takes an entry of it that comes next; whether it is whole with that. */
    boolean completes(Entry entry, long index) {
      if (isWhole()) {
        return false;
      }
      if (entry.part() == 0) {
        indexes.clear();
        first = entry.origin();
        parts = entry.parts();
      }
      if (entry.origin().equals(first) && entry.part() == indexes.size()) {
        indexes.add(index);
      }
      return isWhole();
    }
  }
}
