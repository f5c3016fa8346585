package dev.upcall.journal.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.upcall.journal.entry.DeadLetter;
import dev.upcall.journal.entry.Entry;
import dev.upcall.journal.entry.EntryCodec;
import dev.upcall.journal.entry.EntryKind;
import dev.upcall.journal.entry.FailureCode;
import dev.upcall.journal.entry.Origin;
import dev.upcall.journal.entry.Reply;
import dev.upcall.journal.entry.ReplyCodec;
import dev.upcall.journal.entry.Samples;
import dev.upcall.journal.entry.SubmissionCodec;
import dev.upcall.request.codec.Submission;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Requests that failed for good, kept with why. */
class DeadLettersTest {
  private static final UUID QUEUE = new UUID(1, 1);
  private static final UUID PRODUCER = new UUID(2, 2);
  private static final Reply.Failed FAILURE = new Reply.Failed(FailureCode.NOT_FOUND, "no");
  private static final Submission DELETE = Samples.delete("/a");

  private final ModelStorage storage = new ModelStorage();
  private final DeadLetters letters = new DeadLetters(storage.open());

  @Test
  void aLetterHasItsRequest() throws QueueException {
    byte[] content = new byte[2 * Entry.MAX_BODY_BYTES];
    new Random(6).nextBytes(content);
    Submission put = Samples.put("/no/f", content);
    append(1, DELETE);
    append(2, put);
    List<DeadLetters.Letter> found = letters.list();
    assertEquals(List.of(1L, 2L), sequences(found));
    assertEquals(Optional.of(DELETE), found.getFirst().submission());
    assertEquals(Optional.of(Samples.putOf("/no/f", content.length)), found.getLast().submission());
    assertEquals(Optional.of(DELETE), letters.whole(found.getFirst()));
    assertEquals(Samples.bytes(put), Samples.bytes(letters.whole(found.getLast()).orElseThrow()));
  }

  @Test
  void oneThatComesAgainIsListedOnceAsItCameLast() throws QueueException {
    // The first was cut off behind the letter.
    storage.open().append(EntryCodec.encode(ReplyCodec.encode(letter(1, 1, 1))));
    assertEquals(Optional.empty(), letters.whole(letters.list().getFirst()));
    append(2, DELETE);
    append(1, DELETE);
    List<DeadLetters.Letter> found = letters.list();
    assertEquals(List.of(2L, 1L), sequences(found));
    assertEquals(Optional.of(DELETE), letters.whole(found.getLast()));
  }

  @Test
  void ofAHugeRequestTheFirstEntryIsKept() throws QueueException {
    long bytes = 65L * Entry.MAX_BODY_BYTES;
    Submission put = Samples.putOf("/f", bytes);
    byte[] head = SubmissionCodec.encode(put);
    byte[] body = Arrays.copyOf(head, Entry.MAX_BODY_BYTES);
    Entry first = new Entry(origin(1), EntryKind.REQUEST, 0, 66, body);
    letters.append(letter(1, 66, DeadLetter.keptOf(66)), List.of(EntryCodec.encode(first)));
    DeadLetters.Letter found = letters.list().getFirst();
    assertEquals(Optional.of(put), found.submission());
    assertEquals(Optional.empty(), letters.whole(found));
    assertThrows(IllegalArgumentException.class, () -> letters.append(letter(2, 1, 1), List.of()));
  }

  @Test
  void whatIsDroppedIsNotListedAndItsFilesGo() throws QueueException {
    append(1, DELETE);
    storage.roll();
    append(2, DELETE);
    storage.roll();
    append(3, DELETE);
    letters.drop(letters.list().subList(1, 2));
    assertEquals(List.of(1L, 3L), sequences(letters.list()));
    int before = storage.size();
    letters.drop(letters.list().subList(0, 1));
    // The first two and their files; the marks stay beside the third.
    assertEquals(before + 1 - 4, storage.size());
    assertEquals(List.of(3L), sequences(letters.list()));
    letters.drop(letters.list());
    assertEquals(List.of(), letters.list());
  }

  @Test
  void missingAreThoseThatNeverCame() throws QueueException {
    append(1, DELETE);
    append(2, DELETE);
    letters.drop(letters.list().subList(0, 1));
    List<Reply> asked = List.of(reply(1), reply(2), reply(3));
    assertEquals(List.of(reply(3)), letters.missing(asked));
  }

  @Test
  void oneThatWasCutOffIsMissingUntilItCameAgain() throws QueueException {
    Submission put = Samples.put("/f", new byte[2 * Entry.MAX_BODY_BYTES]);
    byte[] first = Arrays.copyOf(SubmissionCodec.encode(put), Entry.MAX_BODY_BYTES);
    EntryQueue queue = storage.open();
    queue.append(EntryCodec.encode(ReplyCodec.encode(letter(1, 3, 3))));
    queue.append(EntryCodec.encode(new Entry(origin(1), EntryKind.REQUEST, 0, 3, first)));
    append(2, DELETE);
    List<Reply> asked = List.of(reply(1), reply(2));
    assertEquals(List.of(reply(1)), letters.missing(asked));
    append(1, put);
    assertEquals(List.of(), letters.missing(asked));
  }

  @Test
  void bytesThatAreNoLetterHideNoOther() throws QueueException {
    EntryQueue queue = storage.open();
    queue.append(new byte[] {1, 2, 3});
    append(1, DELETE);
    byte[] torn = EntryCodec.encode(ReplyCodec.encode(letter(2, 1, 0)));
    torn[100] ^= 1;
    queue.append(torn);
    queue.append(EntryCodec.encode(ReplyCodec.encode(reply(1))));
    append(3, DELETE);
    letters.sync();
    assertEquals(0, storage.unsynced());
    assertEquals(List.of(1L, 3L), sequences(letters.list()));
    letters.close();
  }

  private void append(long sequence, Submission request) throws QueueException {
    List<Entry> entries = Samples.entries(request, origin(sequence), 0);
    letters.append(
        letter(sequence, entries.size(), entries.size()),
        entries.stream().map(EntryCodec::encode).toList());
  }

  private static List<Long> sequences(List<DeadLetters.Letter> found) {
    return found.stream().map(each -> each.letter().origin().sequence()).toList();
  }

  private static DeadLetter letter(long sequence, int parts, int kept) {
    return new DeadLetter(origin(sequence), 5, FAILURE, parts, kept);
  }

  private static Reply reply(long sequence) {
    return new Reply(QUEUE, PRODUCER, sequence, FAILURE);
  }

  private static Origin origin(long sequence) {
    return new Origin(QUEUE, 3, PRODUCER, 4, sequence);
  }
}
