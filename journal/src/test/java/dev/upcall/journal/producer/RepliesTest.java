package dev.upcall.journal.producer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FileVersion;
import dev.upcall.journal.entry.EntryCodec;
import dev.upcall.journal.entry.FailureCode;
import dev.upcall.journal.entry.Reply;
import dev.upcall.journal.entry.ReplyCodec;
import dev.upcall.journal.queue.EntryQueue;
import dev.upcall.journal.queue.ModelStorage;
import dev.upcall.journal.queue.QueueException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a producer is told of its requests. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class RepliesTest {
  private static final UUID QUEUE = new UUID(1, 1);
  private static final UUID ME = new UUID(2, 2);
  private static final Duration LONG = Duration.ofSeconds(120);

  private final ModelStorage storage = new ModelStorage();
  private final EntryQueue writer = storage.open();

  @Test
  void eachIsToldOnceInOrder() throws QueueException {
    Replies replies = open();
    assertEquals(Optional.empty(), replies.poll());
    put(reply(3));
    put(reply(3));
    put(failed(5));
    put(reply(3));
    put(reply(7));
    assertEquals(Optional.of(reply(3)), replies.poll());
    assertEquals(Optional.of(failed(5)), replies.poll());
    assertEquals(Optional.of(reply(7)), replies.poll());
    assertEquals(Optional.empty(), replies.poll());
  }

  @Test
  void whatIsNotOfThisProducerIsPassedOver() throws QueueException {
    put(new Reply(QUEUE, new UUID(3, 3), 1, new Reply.Done(Optional.empty())));
    put(new Reply(new UUID(9, 9), ME, 2, new Reply.Done(Optional.empty())));
    writer.append(new byte[] {1, 2, 3});
    byte[] torn = EntryCodec.encode(ReplyCodec.encode(reply(4)));
    torn[90] ^= 1;
    writer.append(torn);
    put(reply(5));
    Replies replies = open();
    assertEquals(List.of(reply(5)), replies.known());
    assertEquals(Optional.empty(), replies.poll());
  }

  @Test
  void whoBeginsAnewLearnsOfTheLast() throws QueueException {
    List<Reply> all = new ArrayList<>();
    for (int sequence = 0; sequence < Replies.KNOWN + 10; sequence++) {
      all.add(reply(sequence));
      put(reply(sequence));
    }
    try (Replies replies = open()) {
      assertEquals(all.subList(10, all.size()), replies.known());
    }
    assertEquals(Optional.of(reply(0)), open().poll());
  }

  @Test
  void oneIsWaitedForABoundedTime() throws Exception {
    Replies replies = open();
    put(reply(1));
    assertEquals(Optional.empty(), replies.await(2, Duration.ZERO));
    assertEquals(Optional.empty(), replies.await(2, Duration.ofMillis(3)));
    assertEquals(Optional.of(reply(1)), replies.await(1, LONG));
    put(failed(2));
    put(reply(9));
    assertEquals(Optional.of(failed(2)), replies.await(2, LONG));
    // The one that is waited for never came: that of a later one says so at once.
    assertEquals(Optional.empty(), replies.await(4, LONG));
    assertEquals(Optional.of(reply(9)), replies.await(9, Duration.ZERO));
  }

  @Test
  void whoWaitsHoldsUpNobody() throws Exception {
    Replies replies = open();
    CompletableFuture<Optional<Reply>> waiting =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return replies.await(1, LONG);
              } catch (QueueException | InterruptedException broken) {
                throw new IllegalStateException(broken);
              }
            });
    assertEquals(Optional.empty(), replies.poll());
    assertEquals(Optional.empty(), replies.await(1, Duration.ofMillis(5)));
    synchronized (replies) {
      // The model is of one thread at a time.
      put(reply(1));
    }
    assertEquals(Optional.of(reply(1)), waiting.get());
    assertTrue(replies.known().contains(reply(1)));
  }

  private Replies open() {
    return new Replies(QUEUE, ME, storage.open());
  }

  private void put(Reply reply) throws QueueException {
    writer.append(EntryCodec.encode(ReplyCodec.encode(reply)));
  }

  private static Reply reply(long sequence) {
    return new Reply(
        QUEUE, ME, sequence, new Reply.Done(Optional.of(new FileVersion(5, sequence))));
  }

  private static Reply failed(long sequence) {
    return new Reply(
        QUEUE, ME, sequence, new Reply.Failed(FailureCode.NOT_FOUND, "/a does not exist"));
  }
}
