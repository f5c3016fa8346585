package dev.upcall.feed.answer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FileVersion;
import dev.upcall.journal.entry.FailureCode;
import dev.upcall.journal.entry.Reply;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ProducerHistoryTest {
  private static final int ROUNDS = 2000;

  @Test
  void whatFitsComesBack() {
    SplittableRandom random = new SplittableRandom(3);
    for (int round = 0; round < ROUNDS; round++) {
      int count = 1 + random.nextInt(3 * ProducerHistory.MAX_OUTCOMES);
      List<Outcome> outcomes = outcomes(random, count);
      ProducerHistory history =
          ProducerHistory.NONE.with(outcomes, count, random.nextLong(), round);
      byte[] bytes = encoded(history);
      assertTrue(bytes.length <= ProducerHistory.MAX_BYTES);
      ProducerHistory read = ProducerHistory.decode(bytes).orElseThrow();
      assertEquals(history.lastIndex(), read.lastIndex());
      assertEquals(round, read.notedSeconds());
      int held = read.outcomes().size();
      assertEquals(history.outcomes().subList(0, held), read.outcomes());
      assertNotNull(history.encode(held));
      assertEquals(held == count, history.encode(held + 1) != null);
    }
  }

  @Test
  void newFilesOfOneAfterAnotherTakeNextToNothing() {
    List<Outcome> outcomes = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      outcomes.add(
          new Outcome(1_000_000 + i, new FileVersion(5_000_000 + i, 9_000 + i / 256), null));
    }
    ProducerHistory history = ProducerHistory.NONE.with(outcomes, 2000, 1, 1);
    ProducerHistory.Encoded encoded = history.encode(2000);
    assertNotNull(encoded);
    assertTrue(encoded.neededBytes() < 120, () -> encoded.neededBytes() + " bytes");
    assertEquals(Optional.of(history), ProducerHistory.decode(encoded.bytes()));
  }

  @Test
  void whatIsNeededIsCounted() {
    List<Outcome> outcomes = outcomes(new SplittableRandom(9), 40);
    ProducerHistory newest = ProducerHistory.NONE.with(outcomes.subList(20, 40), 20, 1, 1);
    ProducerHistory all = ProducerHistory.NONE.with(outcomes, 40, 1, 1);
    ProducerHistory.Encoded alone = newest.encode(20);
    ProducerHistory.Encoded withMore = all.encode(20);
    assertNotNull(alone);
    assertNotNull(withMore);
    assertEquals(alone.bytes().length - ProducerHistory.HEAD_BYTES, alone.neededBytes());
    assertEquals(alone.neededBytes(), withMore.neededBytes());
    assertTrue(withMore.bytes().length > alone.bytes().length);
  }

  @Test
  void theOldestGoThatNobodyHasToKeep() {
    ProducerHistory history = ProducerHistory.NONE;
    for (int i = 0; i <= ProducerHistory.MAX_OUTCOMES; i++) {
      history = history.with(List.of(new Outcome(i, Outcome.NOTHING, null)), 1, i, i);
    }
    assertEquals(ProducerHistory.MAX_OUTCOMES, history.outcomes().size());
    assertEquals(ProducerHistory.MAX_OUTCOMES, history.lastSequence());
    assertEquals(Optional.empty(), history.outcome(0));
    assertEquals(Optional.of(new Outcome(1, Outcome.NOTHING, null)), history.outcome(1));
    int kept = ProducerHistory.MAX_OUTCOMES + 1;
    List<Outcome> one = List.of(new Outcome(kept, Outcome.NOTHING, null));
    ProducerHistory longer = history.with(one, kept, kept, kept);
    assertEquals(kept, longer.outcomes().size());
    assertEquals(ProducerHistory.MAX_OUTCOMES, longer.trimmed().outcomes().size());
    assertEquals(kept, longer.trimmed().lastSequence());
  }

  @Test
  void otherBytesAreNone() {
    byte[] bytes =
        encoded(ProducerHistory.NONE.with(outcomes(new SplittableRandom(1), 20), 20, 1, 1));
    byte[] other = bytes.clone();
    other[0] = 1;
    assertEquals(Optional.empty(), ProducerHistory.decode(other));
    assertEquals(Optional.empty(), ProducerHistory.decode(new byte[0]));
    SplittableRandom random = new SplittableRandom(2);
    for (int round = 0; round < ROUNDS; round++) {
      byte[] damaged = Arrays.copyOf(bytes, random.nextInt(bytes.length));
      if (damaged.length > 1) {
        damaged[1 + random.nextInt(damaged.length - 1)] = (byte) random.nextInt();
      }
      ProducerHistory read = ProducerHistory.decode(damaged).orElse(ProducerHistory.NONE);
      assertTrue(read.outcomes().size() <= 1 << 16);
    }
  }

  @Test
  void aFailureIsCutBetweenCharacters() {
    String text = "x".repeat(Reply.Failed.MAX_CHARS - 1) + "\uD83D\uDE00";
    Outcome outcome = new Outcome(1, Outcome.NOTHING, failure(text));
    byte[] bytes = encoded(ProducerHistory.NONE.with(List.of(outcome), 1, 1, 1));
    ProducerHistory read = ProducerHistory.decode(bytes).orElseThrow();
    assertEquals(outcome, read.outcomes().getFirst());
  }

  private static byte[] encoded(ProducerHistory history) {
    ProducerHistory.Encoded encoded = history.encode(1);
    assertNotNull(encoded);
    return encoded.bytes();
  }

  private static List<Outcome> outcomes(SplittableRandom random, int count) {
    List<Outcome> outcomes = new ArrayList<>();
    long sequence = random.nextInt();
    for (int i = 0; i < count; i++) {
      sequence += 1 + random.nextInt(1 << random.nextInt(20));
      outcomes.add(
          switch (random.nextInt(5)) {
            case 0 -> new Outcome(sequence, Outcome.NOTHING, null);
            case 1 -> new Outcome(sequence, Outcome.NOTHING, failure("/é" + i + " does not exist"));
            case 2 -> new Outcome(sequence, new FileVersion(random.nextLong(), i + 1), null);
            default -> new Outcome(sequence, new FileVersion(1000 + i, 1), null);
          });
    }
    return outcomes;
  }

  private static Reply.Failed failure(String text) {
    return new Reply.Failed(FailureCode.NOT_FOUND, text);
  }
}
