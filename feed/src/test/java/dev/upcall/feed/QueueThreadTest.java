package dev.upcall.feed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.upcall.FsmUpcall;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.completion.CompletionPort;
import dev.upcall.config.DiskKind;
import dev.upcall.feed.answer.Settled;
import dev.upcall.fsm.DispatcherStoppedException;
import dev.upcall.journal.entry.Entry;
import dev.upcall.journal.entry.Samples;
import dev.upcall.journal.producer.Producer;
import dev.upcall.journal.producer.Receipt;
import dev.upcall.journal.queue.QueueException;
import dev.upcall.journal.queue.QueueException.Reason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.AbstractList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real queue, a real producer and a real store. */
class QueueThreadTest {
  private static final int MOST_SECONDS = 120;

  @TempDir Path temporary;

  @Test
  void whatWasPutInWithoutAStoreIsDoneWhenOneComes() throws Exception {
    byte[] large = new byte[3 * Entry.MAX_BODY_BYTES];
    new Random(2).nextBytes(large);
    try (Producer producer = producer()) {
      producer.submit(Samples.put("/large", large));
      long last = append(producer, 0, 20);
      serve(last);
      long more = append(producer, 20, 40);
      serve(more);
    }
    try (Upcall store = store()) {
      assertArrayEquals(large, store.readAllBytes("/large"));
      assertEquals(expected(40), new String(store.readAllBytes("/log"), StandardCharsets.US_ASCII));
    }
  }

  @Test
  void whatIsPutInMeanwhileIsDoneMeanwhile() throws Exception {
    try (Producer producer = producer();
        FsmUpcall store = store().fsm();
        QueueThread source =
            QueueThread.open(queue(), UUID::randomUUID, store.fileManager().dispatcher())) {
      Until until = new Until(source);
      RequestFeed feed = new RequestFeed(store.fileManager(), until, FeedConfig.DEFAULT);
      store.execute(feed::begin);
      for (int round = 0; round < 3; round++) {
        until.await(append(producer, 10 * round, 10 * round + 10));
      }
      store.execute(feed::close);
      assertEquals(expected(30), new String(store.readAllBytes("/log"), StandardCharsets.US_ASCII));
    }
  }

  @Test
  void aQueueHasOneReader() throws Exception {
    try (FsmUpcall store = store().fsm();
        QueueThread first =
            QueueThread.open(queue(), UUID::randomUUID, store.fileManager().dispatcher())) {
      assertEquals(0, first.generation());
      assertEquals(
          Reason.IN_USE,
          assertThrows(
                  QueueException.class,
                  () ->
                      QueueThread.open(queue(), UUID::randomUUID, store.fileManager().dispatcher()))
              .reason());
    }
  }

  @Test
  @Timeout(value = MOST_SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aFaultOfTheProgramIsHeard() throws Exception {
    FsmUpcall store = store().fsm();
    NullPointerException fault = new NullPointerException("a fault");
    List<Settled> faulty =
        new AbstractList<>() {
          @Override
          public Settled get(int index) {
            throw fault;
          }

          @Override
          public int size() {
            return 1;
          }
        };
    CompletableFuture<Throwable> heard = new CompletableFuture<>();
    try (QueueThread source =
        QueueThread.open(queue(), UUID::randomUUID, store.fileManager().dispatcher())) {
      source.settled(faulty, () -> {});
      while (!heard.isDone()) {
        try {
          store.info();
        } catch (DispatcherStoppedException dead) {
          heard.complete(dead.getCause());
        }
      }
    }
    assertSame(fault, heard.join());
    assertThrows(DispatcherStoppedException.class, store::close);
  }

  /** Opens the store, until the entry at an index is done. */
  private void serve(long last) throws Exception {
    try (FsmUpcall store = store().fsm();
        QueueThread source =
            QueueThread.open(queue(), UUID::randomUUID, store.fileManager().dispatcher())) {
      Until until = new Until(source);
      RequestFeed feed = new RequestFeed(store.fileManager(), until, FeedConfig.DEFAULT);
      store.execute(feed::begin);
      until.await(last);
      store.execute(feed::close);
    }
  }

  private static long append(Producer producer, int from, int to) throws IOException {
    Receipt last = null;
    for (int number = from; number < to; number++) {
      last = producer.submit(Samples.append("/log", number + ";"));
    }
    return last == null ? 0 : last.index();
  }

  private static String expected(int to) {
    StringBuilder all = new StringBuilder();
    for (int number = 0; number < to; number++) {
      all.append(number).append(';');
    }
    return all.toString();
  }

  private Upcall store() throws IOException {
    UpcallConfig config = UpcallConfig.DEFAULT.withMemoryBytes(32 << 20).withDisk(DiskKind.CHANNEL);
    return Upcall.openOrCreate(temporary.resolve("v.upcall"), config);
  }

  private Producer producer() throws IOException {
    return Producer.open(queue(), "test", 1L << 30);
  }

  private Path queue() {
    return temporary.resolve("queue");
  }

  /** Says when an entry is done. */
  private static final class Until implements RequestSource {
    private final RequestSource source;
    private final BlockingQueue<Long> done = new LinkedBlockingQueue<>();

    Until(RequestSource source) {
      this.source = source;
    }

    /** Waits for the end of one entry. */
    void await(long index) throws InterruptedException {
      Long last = done.poll(MOST_SECONDS, TimeUnit.SECONDS);
      while (last != null && last < index) {
        last = done.poll(MOST_SECONDS, TimeUnit.SECONDS);
      }
      assertEquals(index, last);
    }

    @Override
    public UUID queue() {
      return source.queue();
    }

    @Override
    public long generation() {
      return source.generation();
    }

    @Override
    public void nextGeneration(CompletionPort<Long> port) {
      source.nextGeneration(port);
    }

    @Override
    public void expire(UUID producer, long upTo, CompletionPort<Boolean> port) {
      source.expire(producer, upTo, port);
    }

    @Override
    public void forget(UUID producer) {
      source.forget(producer);
    }

    @Override
    public Backlog unread() {
      return source.unread();
    }

    @Override
    public void read(long index, CompletionPort<Optional<Arrival>> port) {
      source.read(index, port);
    }

    @Override
    public void next(long index, CompletionPort<List<Arrival>> port) {
      source.next(index, port);
    }

    @Override
    public void producers(CompletionPort<List<UUID>> port) {
      source.producers(port);
    }

    @Override
    public void done(long index) {
      source.done(index);
      done.add(index);
    }
  }
}
