package dev.upcall.cli.failover;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Clients that forgive nothing: each request is sent once, over a connection of its own or over one
 * that is kept until an answer says that it was the last, and whatever is no right answer is a
 * failure.
 */
final class HandoverLoad {
  /** How long a client thinks between two requests. */
  private static final long THINK_MILLIS = 10;

  private final int port;
  private final List<Thread> clients = new ArrayList<>();
  private final AtomicBoolean ending = new AtomicBoolean();
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong longestNanos = new AtomicLong();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /** What each path was last acknowledged to hold. */
  private final Map<String, byte[]> acknowledged = new ConcurrentHashMap<>();

  HandoverLoad(int port, int kept, int fresh) {
    this.port = port;
    for (int i = 0; i < kept + fresh; i++) {
      int client = i;
      clients.add(Thread.ofPlatform().start(() -> work(client, client < kept)));
    }
  }

  long answered() {
    return answered.get();
  }

  /** The longest wait for an answer since this was asked last, connecting included. */
  double longestMillis() {
    return longestNanos.getAndSet(0) / 1e6;
  }

  @Nullable Throwable failure() {
    return failure.get();
  }

  Map<String, byte[]> acknowledged() {
    return acknowledged;
  }

  /** Returns when so many were answered; fails when one was not. */
  void awaitAnswers(long count) throws InterruptedException {
    while (answered() < count) {
      if (failure() != null) {
        throw new AssertionError(failure());
      }
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  void end() throws InterruptedException {
    ending.set(true);
    for (Thread client : clients) {
      client.join();
    }
  }

  private void ask(HandoverClient connection, int client, int i, String path) throws IOException {
    if (i % 2 == 0) {
      byte[] content =
          "%d %d ".formatted(client, i).repeat(1 + i % 500).getBytes(StandardCharsets.US_ASCII);
      connection.put(path, content);
      acknowledged.put(path, content);
    } else {
      connection.get(path, acknowledged.get(path));
    }
  }

  private void work(int client, boolean keeps) {
    HandoverClient connection = null;
    try {
      for (int i = 0; !ending.get(); i++) {
        String path = "/c%d/f%d".formatted(client, i / 2 % 8);
        long from = System.nanoTime();
        if (connection == null) {
          connection = new HandoverClient(port, keeps);
        }
        try {
          ask(connection, client, i, path);
        } catch (IOException ended) {
          if (!connection.wasLate()) {
            throw ended;
          }
          connection.close();
          connection = null;
          i--;
          continue;
        }
        longestNanos.accumulateAndGet(System.nanoTime() - from, Math::max);
        answered.incrementAndGet();
        if (connection.isOver()) {
          connection.close();
          connection = null;
        }
        TimeUnit.MILLISECONDS.sleep(THINK_MILLIS);
      }
      if (connection != null) {
        connection.close();
      }
    } catch (Throwable failed) {
      failure.compareAndSet(
          null, new AssertionError("client %d, which keeps: %s".formatted(client, keeps), failed));
    }
  }
}
