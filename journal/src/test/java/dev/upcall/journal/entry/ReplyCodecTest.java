package dev.upcall.journal.entry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FileVersion;
import dev.upcall.house.Golden;
import dev.upcall.house.Mutator;
import dev.upcall.journal.entry.Decoded.Reason;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Replies and dead letters that are none: each is refused by a reason. */
class ReplyCodecTest {
  /** What a reply has of a request's origin. */
  private static final Origin ORIGIN =
      new Origin(Samples.ORIGIN.queue(), 0, Samples.ORIGIN.producer(), 0, 10);

  private static final Reply.Failed FAILURE =
      new Reply.Failed(FailureCode.NOT_FOUND, "/é does not exist");
  private static final Reply DONE = reply(new Reply.Done(Optional.of(new FileVersion(5, 6))));
  private static final Reply FAILED = reply(FAILURE);
  private static final DeadLetter LETTER = new DeadLetter(Samples.ORIGIN, 78, FAILURE, 3, 3);

  @Test
  void theFormIsFixed() {
    Golden.check("reply", EntryCodec.encode(ReplyCodec.encode(DONE)));
    Golden.check("dead-letter", EntryCodec.encode(ReplyCodec.encode(LETTER)));
  }

  @Test
  void eachFailureHasAByteOfItsOwn() {
    Set<Integer> codes = new TreeSet<>();
    for (FailureCode failure : EnumSet.allOf(FailureCode.class)) {
      assertTrue(codes.add(failure.code()));
      assertEquals(Optional.of(failure), FailureCode.of(failure.code()));
    }
    assertEquals(Optional.empty(), FailureCode.of(0));
  }

  @Test
  void bodiesThatAreNoReply() {
    byte[] good = ReplyCodec.encode(FAILED).body();
    assertRefused(Reason.LENGTH, Arrays.copyOf(good, 16));
    assertRefused(Reason.HEAD, with(good, 0, 99));
    // A failure that leaves a file, and a message of what was done.
    assertRefused(Reason.HEAD, with(good, 1, 1));
    assertRefused(Reason.HEAD, with(good, 0, 0));
    assertRefused(Reason.HEAD, with(good, good.length - 1, 0xff));
    assertRefused(Reason.TOO_LARGE, Arrays.copyOf(good, 2000));
    assertNoReply(new Entry(ORIGIN, EntryKind.REQUEST, 0, 1, good));
    assertNoReply(new Entry(Samples.ORIGIN, EntryKind.REPLY, 0, 1, good));
  }

  @Test
  void bodiesThatAreNoDeadLetter() {
    byte[] good = ReplyCodec.encode(LETTER).body();
    assertLetterRefused(Reason.LENGTH, Arrays.copyOf(good, 15));
    assertLetterRefused(Reason.LENGTH, Arrays.copyOf(good, 32));
    assertLetterRefused(Reason.HEAD, with(good, 8, 0));
    assertLetterRefused(Reason.HEAD, with(good, 12, 2));
    byte[] done = Arrays.copyOf(good, 16 + 17);
    done[16] = 0;
    assertLetterRefused(Reason.HEAD, done);
  }

  @Test
  void aLongMessageIsCutBetweenCharacters() {
    String text = "x".repeat(Reply.Failed.MAX_CHARS - 1) + "😀";
    Reply cut = reply(new Reply.Failed(FailureCode.INVALID, text));
    assertEquals("x".repeat(Reply.Failed.MAX_CHARS - 1), ((Reply.Failed) cut.result()).message());
    assertEquals(new Decoded.Value<>(cut), ReplyCodec.decodeReply(ReplyCodec.encode(cut)));
  }

  @Test
  void whatIsKeptOfALetterIsAllOrTheFirstOrNothing() {
    assertTrue(new DeadLetter(ORIGIN, 1, FAILURE, 64, 64).isWhole());
    assertEquals(1, DeadLetter.keptOf(65));
    assertThrows(IllegalArgumentException.class, () -> new DeadLetter(ORIGIN, 1, FAILURE, 65, 64));
    assertThrows(IllegalArgumentException.class, () -> new DeadLetter(ORIGIN, 1, FAILURE, 3, 2));
  }

  @Test
  void damagedBodiesAreAReplyOrRefused() {
    byte[] letter = ReplyCodec.encode(LETTER).body();
    Mutator mutator = new Mutator(29, 60, List.of(ReplyCodec.encode(DONE).body(), letter));
    mutator.run(
        20_000,
        body -> {
          Entry reply = new Entry(ORIGIN, EntryKind.REPLY, 0, 1, body);
          Entry dead = new Entry(Samples.ORIGIN, EntryKind.DEAD_LETTER, 0, 1, body);
          boolean isOne = false;
          if (ReplyCodec.decodeReply(reply) instanceof Decoded.Value<Reply>(Reply value)) {
            assertEquals(reply, ReplyCodec.encode(value));
            isOne = true;
          }
          if (ReplyCodec.decodeLetter(dead)
              instanceof Decoded.Value<DeadLetter>(DeadLetter value)) {
            assertEquals(dead, ReplyCodec.encode(value));
            isOne = true;
          }
          if (!isOne) {
            throw new IllegalArgumentException("refused");
          }
        });
    assertTrue(mutator.accepted() > 500, () -> mutator.accepted() + " taken");
    assertTrue(mutator.refused() > 500, () -> mutator.refused() + " refused");
  }

  private static Reply reply(Reply.Result result) {
    return new Reply(ORIGIN.queue(), ORIGIN.producer(), ORIGIN.sequence(), result);
  }

  private static void assertNoReply(Entry entry) {
    assertEquals(
        Reason.HEAD,
        assertInstanceOf(Decoded.Refused.class, ReplyCodec.decodeReply(entry)).reason());
  }

  private static byte[] with(byte[] good, int at, int value) {
    byte[] changed = good.clone();
    changed[at] = (byte) value;
    return changed;
  }

  private static void assertRefused(Reason reason, byte[] body) {
    Entry entry = new Entry(ORIGIN, EntryKind.REPLY, 0, 1, body);
    assertEquals(
        reason, assertInstanceOf(Decoded.Refused.class, ReplyCodec.decodeReply(entry)).reason());
  }

  private static void assertLetterRefused(Reason reason, byte[] body) {
    Entry entry = new Entry(Samples.ORIGIN, EntryKind.DEAD_LETTER, 0, 1, body);
    assertEquals(
        reason, assertInstanceOf(Decoded.Refused.class, ReplyCodec.decodeLetter(entry)).reason());
  }
}
