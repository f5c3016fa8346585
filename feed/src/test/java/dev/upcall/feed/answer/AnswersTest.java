package dev.upcall.feed.answer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FileVersion;
import dev.upcall.base.Clock;
import dev.upcall.journal.entry.Decoded;
import dev.upcall.journal.entry.Entry;
import dev.upcall.journal.entry.EntryCodec;
import dev.upcall.journal.entry.FailureCode;
import dev.upcall.journal.entry.Origin;
import dev.upcall.journal.entry.Reply;
import dev.upcall.journal.entry.ReplyCodec;
import dev.upcall.journal.entry.Samples;
import dev.upcall.journal.queue.DeadLetters;
import dev.upcall.journal.queue.EntryQueue;
import dev.upcall.journal.queue.EntryQueue.Indexed;
import dev.upcall.journal.queue.ModelStorage;
import dev.upcall.journal.queue.QueueException;
import dev.upcall.journal.queue.QueueException.Reason;
import dev.upcall.request.codec.Submission;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is said of requests, and what happens when it cannot be. */
class AnswersTest {
  private static final UUID QUEUE = new UUID(1, 1);
  private static final UUID ME = new UUID(2, 2);
  private static final Reply.Failed FAILURE = new Reply.Failed(FailureCode.NOT_FOUND, "no /f");
  private static final Submission PUT = Samples.put("/f", content());

  private final ModelStorage requests = new ModelStorage();
  private final ModelStorage replies = new ModelStorage();
  private final ModelStorage letters = new ModelStorage();
  private long nanos;

  /** Why a queue cannot be opened; null while it can. */
  private @Nullable Reason broken;

  private int opened;
  private final Answers answers =
      new Answers(QUEUE, requests.open(), outlet(replies), outlet(letters));

  @Test
  void aRequestThatFailedIsALetterAndAReply() throws QueueException {
    answers.answer(List.of(done(1), failed(2, put(2))));
    assertEquals(List.of(reply(1), new Reply(QUEUE, ME, 2, FAILURE)), said());
    DeadLetters.Letter letter = letters().getFirst();
    assertEquals(2, letter.letter().origin().sequence());
    assertWhole(new DeadLetters(letters.open()).whole(letter));
    assertEquals(new AnswerCounts(2, 0, 1, 0), answers.counts());
  }

  @Test
  void whatMayNotHaveBeenSaidIsSaidAgain() throws QueueException {
    Settled settled = failed(2, put(2));
    put(3);
    answers.answer(List.of(settled));
    Outcome missing = new Outcome(3, Outcome.NOTHING, FAILURE);
    Outcome lost = new Outcome(4, Outcome.NOTHING, FAILURE);
    answers.again(ME, List.of(done(1).outcome(), settled.outcome(), missing, lost));
    answers.endOfAgain();
    assertEquals(5, said().size());
    assertEquals(reply(1), said().get(1));
    assertEquals(said().get(0), said().get(2));
    // That of 2 was there; 3 is still in the queue; of 4 a loss of power has left nothing.
    List<DeadLetters.Letter> found = letters();
    assertEquals(
        List.of(2L, 3L, 4L), found.stream().map(l -> l.letter().origin().sequence()).toList());
    DeadLetters dead = new DeadLetters(letters.open());
    assertWhole(dead.whole(found.get(1)));
    assertEquals(9, found.get(1).letter().origin().incarnation());
    assertEquals(Optional.empty(), dead.whole(found.get(2)));
    answers.endOfAgain();
    assertEquals(3, letters().size());
  }

  @Test
  void theQueueIsLookedThroughOnceForAllMissingLetters() throws QueueException {
    List<Outcome> missing = new ArrayList<>();
    for (long sequence = 1; sequence <= 20; sequence++) {
      put(sequence);
      missing.add(new Outcome(sequence, Outcome.NOTHING, FAILURE));
    }
    EntryQueue real = requests.open();
    int[] looks = new int[1];
    EntryQueue counted =
        (EntryQueue)
            Proxy.newProxyInstance(
                EntryQueue.class.getClassLoader(),
                new Class<?>[] {EntryQueue.class},
                (_, method, arguments) -> {
                  looks[0] += method.getName().equals("next") ? 1 : 0;
                  return method.invoke(real, arguments);
                });
    Answers again = new Answers(QUEUE, counted, outlet(replies), outlet(letters));
    again.again(ME, missing);
    again.endOfAgain();
    assertEquals(20, letters().size());
    assertEquals(40, looks[0], "two parts each");
  }

  @Test
  void aQueueThatCannotBeWrittenHoldsUpNobody() throws QueueException {
    broken = Reason.FILES;
    answers.answer(List.of(done(1), failed(2, put(2))));
    assertEquals(new AnswerCounts(0, 0, 0, 0), answers.counts());
    int tries = opened;
    broken = null;
    // Not tried again for a second.
    answers.answer(List.of(done(3)));
    assertEquals(tries, opened);
    assertEquals(new AnswerCounts(0, 0, 0, 0), answers.counts());
    nanos += 1_000_000_000;
    answers.goOn();
    assertEquals(List.of(reply(1), new Reply(QUEUE, ME, 2, FAILURE), reply(3)), said());
    assertEquals(1, letters().size());
    answers.answer(List.of(done(4)));
    assertEquals(reply(4), said().getLast());
    assertEquals(new AnswerCounts(4, 0, 1, 0), answers.counts());
    answers.close();
  }

  /** Memory is bounded: what does not fit is lost, and counted. */
  @Test
  void answer_queueBrokenForLong_losesWhatIsBeyondTheBound() throws QueueException {
    broken = Reason.DISK_FULL;
    int many = (int) Outlet.MAX_UNSAID_BYTES / 200;
    for (int i = 0; i < many; i++) {
      answers.answer(List.of(done(i)));
    }
    long lost = answers.counts().lostReplies();
    assertTrue(lost > 0 && lost < many, () -> lost + " lost");
    broken = null;
    answers.close();
    assertEquals(many - lost, said().size());
    assertEquals(reply(0), said().getFirst());
  }

  /** The entries of a request may be gone before its letter can be written. */
  @Test
  void answer_lettersBroken_keepsTheContent() throws QueueException {
    List<Long> entries = put(2);
    broken = Reason.FILES;
    answers.answer(List.of(failed(2, entries)));
    requests.open().removeBefore(Long.MAX_VALUE);
    broken = null;
    nanos += 1_000_000_000;
    answers.goOn();
    DeadLetters.Letter letter = letters().getFirst();
    assertWhole(new DeadLetters(letters.open()).whole(letter));
  }

  @Test
  void anEntryThatIsGoneIsALetterWithoutIt() throws QueueException {
    answers.answer(List.of(failed(2, List.of(77L))));
    DeadLetters.Letter letter = letters().getFirst();
    assertEquals(0, letter.letter().kept());
    assertEquals(77, letter.letter().index());
  }

  private Outlet outlet(ModelStorage storage) {
    Clock clock =
        new Clock() {
          @Override
          public long monotonicNanos() {
            return nanos;
          }

          @Override
          public long epochNanos() {
            return 0;
          }
        };
    return new Outlet(
        "test",
        () -> {
          opened++;
          if (broken != null) {
            throw new QueueException(broken, "the disk is gone", null);
          }
          return storage.open();
        },
        clock);
  }

  /** Puts a request of two parts into the queue; where they are. */
  private List<Long> put(long sequence) throws QueueException {
    List<Long> indexes = new ArrayList<>();
    for (Entry entry : Samples.entries(PUT, origin(sequence), 0)) {
      indexes.add(requests.open().append(EntryCodec.encode(entry)));
    }
    return indexes;
  }

  private static void assertWhole(Optional<Submission> kept) {
    assertEquals(Samples.bytes(PUT), Samples.bytes(kept.orElseThrow()));
  }

  private static byte[] content() {
    byte[] content = new byte[Entry.MAX_BODY_BYTES];
    Arrays.fill(content, (byte) 'x');
    return content;
  }

  private List<Reply> said() throws QueueException {
    List<Reply> all = new ArrayList<>();
    EntryQueue queue = replies.open();
    Indexed found = queue.next(EntryQueue.NONE);
    while (found != null) {
      Decoded<Reply> reply = EntryCodec.decode(found.bytes()).flatMap(ReplyCodec::decodeReply);
      all.add(((Decoded.Value<Reply>) reply).value());
      found = queue.next(found.index());
    }
    return all;
  }

  private List<DeadLetters.Letter> letters() throws QueueException {
    return new DeadLetters(letters.open()).list();
  }

  private static Settled done(long sequence) {
    Outcome outcome = new Outcome(sequence, new FileVersion(5, sequence), null);
    return new Settled(origin(sequence), outcome, List.of(sequence));
  }

  private static Settled failed(long sequence, List<Long> indexes) {
    return new Settled(origin(sequence), new Outcome(sequence, Outcome.NOTHING, FAILURE), indexes);
  }

  private static Reply reply(long sequence) {
    return new Reply(
        QUEUE, ME, sequence, new Reply.Done(Optional.of(new FileVersion(5, sequence))));
  }

  private static Origin origin(long sequence) {
    return new Origin(QUEUE, 3, ME, 9, sequence);
  }
}
