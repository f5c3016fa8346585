package dev.upcall.feed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.upcall.journal.entry.Entry;
import dev.upcall.journal.entry.EntryCodec;
import dev.upcall.journal.entry.Origin;
import dev.upcall.journal.entry.Samples;
import dev.upcall.journal.queue.EntryQueue;
import dev.upcall.journal.queue.QueueException;
import dev.upcall.request.FileRequest;
import dev.upcall.request.codec.Submission;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How far a producer's requests are done while nobody hears of them. */
class UnheardTest {
  private static final int ALIKE = 250;
  private static final int FAILING = 30;
  private static final int OTHERS = 100;
  private static final int FILES = 30;
  private static final long A_WHILE_NANOS = 60_000_000_000L;

  /** A property that no request may change: before it is asked it is known to fail. */
  private static final Submission FORBIDDEN =
      Submission.of(new FileRequest.RemoveProperty("upcall.queue.x"));

  private final QueueModel model = new QueueModel(new UUID(1, 2));
  private final EntryQueue writer = model.storage().open();
  private final FeedFixture fixture = FeedFixture.create(1, model, FeedCanary.NONE);
  private long sequence;

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void whatIsNotedShortlyIsDoneFarAhead() throws QueueException {
    fixture.hearNothing();
    for (int i = 0; i < ALIKE; i++) {
      put("/a", (byte) i);
    }
    fixture.feed().begin();
    fixture.world().runUntil(() -> applied() == ALIKE);
    assertEquals(ALIKE, fixture.feed().metrics().unsettled());
    fixture.hear();
    fixture.runUntilDone();
    assertEquals(ALIKE, fixture.settled().size());
  }

  /** Whatever a note would take: the rest waits until somebody hears, and nobody rests. */
  @Test
  void whatDoesNotFitANoteWaitsUntilOthersAreHeardOf() throws QueueException {
    SplittableRandom random = new SplittableRandom(5);
    Map<String, Byte> expected = new HashMap<>();
    fixture.hearNothing();
    for (int i = 0; i < ALIKE; i++) {
      put("/a", (byte) i);
    }
    for (int i = 0; i < FAILING; i++) {
      put(FORBIDDEN);
    }
    for (int i = 0; i < OTHERS; i++) {
      String path = "/f" + random.nextInt(FILES);
      put(path, (byte) i);
      expected.put(path, (byte) i);
    }
    fixture.feed().begin();
    fixture.world().runUntil(() -> applied() == ALIKE);
    long sinceNanos = fixture.world().clock().monotonicNanos();
    fixture.world().runUntil(() -> passed(sinceNanos) >= A_WHILE_NANOS);
    assertEquals(ALIKE, applied());
    fixture.hear();
    fixture.runUntilDone();
    assertEquals(
        new FeedCounts(ALIKE + OTHERS, 0, FAILING, 0, 0, 0, 0), fixture.feed().metrics().counts());
    assertEquals(0, fixture.feed().metrics().halved());
    expected.forEach(
        (path, last) -> assertArrayEquals(new byte[] {last}, fixture.content(path), path));
  }

  private long passed(long sinceNanos) {
    return fixture.world().clock().monotonicNanos() - sinceNanos;
  }

  private long applied() {
    return fixture.feed().metrics().counts().applied();
  }

  private void put(String path, byte content) throws QueueException {
    put(Samples.put(path, new byte[] {content}));
  }

  private void put(Submission request) throws QueueException {
    Origin origin = new Origin(model.id(), 0, new UUID(7, 7), 4711, sequence++);
    for (Entry entry : Samples.entries(request, origin, 0)) {
      writer.append(EntryCodec.encode(entry));
    }
  }
}
