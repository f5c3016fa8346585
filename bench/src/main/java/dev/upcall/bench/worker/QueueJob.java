package dev.upcall.bench.worker;

import dev.upcall.FileContent;
import dev.upcall.FsmUpcall;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.job.Blocks;
import dev.upcall.bench.job.DeviceChoice;
import dev.upcall.bench.job.Job;
import dev.upcall.bench.job.Tally;
import dev.upcall.config.DiskKind;
import dev.upcall.feed.FeedConfig;
import dev.upcall.feed.QueueThread;
import dev.upcall.feed.RequestFeed;
import dev.upcall.feed.answer.Outcome;
import dev.upcall.feed.answer.Settled;
import dev.upcall.feed.answer.SettledPort;
import dev.upcall.journal.producer.Producer;
import dev.upcall.journal.producer.Receipt;
import dev.upcall.journal.producer.Replies;
import dev.upcall.request.FileRequest;
import dev.upcall.request.codec.Submission;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * Creation of small files that producers ask for through a queue, which the store works off
 * meanwhile. Options: {@code volume} and {@code folder} (made), {@code disk}, {@code cap} (bytes; 0
 * for the standard), {@code producers} (a thread each), {@code window} (how many requests each has
 * outstanding), {@code bytes} (of a file), {@code until} ({@code durable} in the store, or {@code
 * answered}: the producer has read its reply; with a window of one).
 */
final class QueueJob implements Job.Timed {
  private final Path folder;
  private final FsmUpcall store;
  private final QueueThread source;
  private final Map<UUID, Client> clients = new ConcurrentHashMap<>();
  private final ExecutorService threads;
  private final RequestFeed feed;
  private int runs;

  QueueJob(Fields options) throws IOException {
    UpcallConfig config =
        UpcallConfig.DEFAULT
            .withDisk(DiskKind.valueOf(options.text("disk")))
            .withCapBytes(options.number("cap"));
    folder = Path.of(options.text("folder"));
    store =
        Upcall.openOrCreate(Path.of(options.text("volume")), new DeviceChoice(options).in(config))
            .fsm();
    source = QueueThread.open(folder, UUID::randomUUID, store.fileManager().dispatcher());
    feed = new RequestFeed(store.fileManager(), source, FeedConfig.DEFAULT, new Counting());
    int producers = (int) options.number("producers");
    for (int i = 0; i < producers; i++) {
      Client client = new Client(folder, "p" + i, options);
      clients.put(client.id(), client);
    }
    threads = Executors.newFixedThreadPool(producers);
    store.execute(feed::begin);
  }

  /** Counts what is durable on its way to those who say so. */
  private final class Counting implements SettledPort {
    @Override
    public void settled(List<Settled> requests, Runnable heard) {
      long now = System.nanoTime();
      for (Settled each : requests) {
        Client client = clients.get(each.origin().producer());
        if (client != null) {
          client.settled(each.outcome(), now);
        }
      }
      clients.values().forEach(Client::goOn);
      source.settled(requests, heard);
    }

    @Override
    public void earlier(UUID producer, List<Outcome> outcomes) {
      source.earlier(producer, outcomes);
    }

    @Override
    public void endOfEarlier() {
      source.endOfEarlier();
    }
  }

  @Override
  public Tally run(long nanos) throws IOException, InterruptedException {
    String run = "/run" + ++runs;
    store.createDirectory(run);
    Tally all = new Tally();
    CompletableFuture<Long> start = new CompletableFuture<>();
    List<Future<Tally>> parts =
        clients.values().stream()
            .map(client -> threads.submit(() -> client.run(run, start.join() + nanos)))
            .toList();
    start.complete(System.nanoTime());
    try {
      for (Future<Tally> part : parts) {
        all.add(part.get());
      }
    } catch (ExecutionException failed) {
      throw new IOException(failed.getCause());
    }
    all.end();
    return all;
  }

  @Override
  public void close() throws IOException {
    threads.shutdownNow();
    store.execute(feed::close);
    source.close();
    for (Client client : clients.values()) {
      client.close();
    }
    store.close();
    Lab.remove(folder);
  }

  /** One producer with as many requests outstanding as it may have. */
  private static final class Client implements AutoCloseable {
    /** No bound that is ever met: what is outstanding is. */
    private static final long MAX_BYTES = 64L << 30;

    private static final Duration LONGEST = Duration.ofSeconds(30);

    private final Producer producer;
    private final Replies replies;
    private final String name;
    private final int window;
    private final int bytes;
    private final boolean untilAnswered;
    private final Semaphore room;
    private final Blocks blocks;

    /** When those outstanding were begun, by their number modulo the window. */
    private final AtomicLongArray begun;

    private long submitted;

    /** The dispatcher's. */
    private long settled;

    /** Of them, those that still take room; the dispatcher's. */
    private int free;

    private volatile @Nullable Outcome failed;
    private volatile Tally tally = new Tally();

    private Client(Path folder, String name, Fields options) throws IOException {
      this.name = name;
      this.window = (int) options.number("window");
      this.bytes = (int) options.number("bytes");
      this.untilAnswered = options.text("until").equals("answered");
      this.room = new Semaphore(window);
      this.begun = new AtomicLongArray(window);
      this.producer = Producer.open(folder, name, MAX_BYTES);
      this.replies = producer.replies();
      this.blocks = new Blocks(name.hashCode());
    }

    UUID id() {
      return producer.id();
    }

    /** Asks until a time, and waits for the last; its own thread. */
    Tally run(String directory, long untilNanos) throws IOException, InterruptedException {
      Tally mine = new Tally();
      tally = mine;
      for (long now = System.nanoTime(); now < untilNanos; now = System.nanoTime()) {
        room.acquire();
        long began = System.nanoTime();
        begun.set((int) (submitted % window), began);
        byte[] content = new byte[bytes];
        blocks.fill(++submitted, ByteBuffer.wrap(content));
        String path = directory + "/" + name + "-" + submitted;
        Receipt receipt =
            producer.submit(
                Submission.of(new FileRequest.Put(path, new FileContent.Bytes(content))));
        if (untilAnswered) {
          if (replies.await(receipt.sequence(), LONGEST).isEmpty()) {
            throw new IOException("no reply to " + receipt);
          }
          long ended = System.nanoTime();
          mine.add(1, ended - began, ended);
        }
      }
      room.acquire(window);
      room.release(window);
      mine.end();
      Outcome broken = failed;
      if (broken != null) {
        throw new IOException("a request failed: " + broken);
      }
      return mine;
    }

    /** One more is durable; dispatcher's thread. */
    void settled(Outcome outcome, long nowNanos) {
      if (!outcome.isDone()) {
        failed = outcome;
      }
      if (!untilAnswered) {
        tally.add(1, nowNanos - begun.get((int) (settled % window)), nowNanos);
      }
      settled++;
      free++;
    }

    /** There is room for as many as are durable; dispatcher's thread. */
    void goOn() {
      room.release(free);
      free = 0;
    }

    @Override
    public void close() throws IOException {
      replies.close();
      producer.close();
    }
  }
}
