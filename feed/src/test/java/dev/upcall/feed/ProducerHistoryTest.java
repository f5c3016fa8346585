package dev.upcall.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.fileman.FileVersion;
import dev.upcall.journal.entry.FailureCode;
import dev.upcall.journal.entry.Reply;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ProducerHistoryTest {
  private static final int ROUNDS = 2000;

  @Test
  void whatFitsComesBack() {
    SplittableRandom random = new SplittableRandom(3);
    for (int round = 0; round < ROUNDS; round++) {
      int count = 1 + random.nextInt(ProducerHistory.MAX_OUTCOMES);
      List<Outcome> outcomes = outcomes(random, count);
      ProducerHistory history = ProducerHistory.NONE.with(outcomes, random.nextLong(), round);
      byte[] bytes = history.encode(1);
      assertNotNull(bytes);
      assertTrue(bytes.length <= ProducerHistory.MAX_BYTES);
      ProducerHistory read = ProducerHistory.decode(bytes);
      assertNotNull(read);
      assertEquals(history.lastIndex(), read.lastIndex());
      assertEquals(round, read.notedSeconds());
      int held = read.outcomes().size();
      assertEquals(history.outcomes().subList(0, held), read.outcomes());
      assertNotNull(history.encode(held));
      assertEquals(held == count, history.encode(held + 1) != null);
    }
  }

  @Test
  void newFilesOfOneAfterAnotherTakeFourBytesEach() {
    List<Outcome> outcomes = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      outcomes.add(new Outcome(1_000_000 + i, new FileVersion(5_000_000 + i, 1), null));
    }
    assertNotNull(ProducerHistory.NONE.with(outcomes, 1, 1).encode(200));
  }

  @Test
  void theOldestGo() {
    ProducerHistory history = ProducerHistory.NONE;
    for (int i = 0; i <= ProducerHistory.MAX_OUTCOMES; i++) {
      history = history.with(List.of(new Outcome(i, Outcome.NOTHING, null)), i, i);
    }
    assertEquals(ProducerHistory.MAX_OUTCOMES, history.outcomes().size());
    assertEquals(ProducerHistory.MAX_OUTCOMES, history.lastSequence());
    assertNull(history.outcome(0));
    assertEquals(new Outcome(1, Outcome.NOTHING, null), history.outcome(1));
  }

  @Test
  void otherBytesAreNone() {
    byte[] bytes = ProducerHistory.NONE.with(outcomes(new SplittableRandom(1), 20), 1, 1).encode(1);
    assertNotNull(bytes);
    byte[] other = bytes.clone();
    other[0] = 1;
    assertNull(ProducerHistory.decode(other));
    assertNull(ProducerHistory.decode(new byte[0]));
    SplittableRandom random = new SplittableRandom(2);
    for (int round = 0; round < ROUNDS; round++) {
      byte[] damaged = Arrays.copyOf(bytes, random.nextInt(bytes.length));
      if (damaged.length > 1) {
        damaged[1 + random.nextInt(damaged.length - 1)] = (byte) random.nextInt();
      }
      ProducerHistory read = ProducerHistory.decode(damaged);
      assertTrue(read == null || read.outcomes().size() <= bytes.length);
    }
  }

  @Test
  void aFailureIsCutBetweenCharacters() {
    String text = "x".repeat(Reply.Failed.MAX_CHARS - 1) + "\uD83D\uDE00";
    Outcome outcome = new Outcome(1, Outcome.NOTHING, failure(text));
    byte[] bytes = ProducerHistory.NONE.with(List.of(outcome), 1, 1).encode(1);
    assertNotNull(bytes);
    ProducerHistory read = ProducerHistory.decode(bytes);
    assertNotNull(read);
    assertEquals(outcome, read.outcomes().getFirst());
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
