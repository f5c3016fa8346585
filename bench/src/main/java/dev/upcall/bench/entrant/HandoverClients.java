package dev.upcall.bench.entrant;

import dev.upcall.base.ThreadEnd;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Clients that go on asking, GET and PUT in turn, some over connections that they keep until an
 * answer says that it was the last, others over a new one for each request. Nothing is asked twice:
 * what is not answered well has failed, and is counted.
 */
final class HandoverClients implements AutoCloseable {
  private static final int KEPT = 16;
  private static final int FRESH = 8;

  /** How long a client thinks; who connects anew does it longer, for want of ports. */
  private static final long KEPT_MILLIS = 2;

  private static final long FRESH_MILLIS = 20;
  private static final int TIMEOUT_MILLIS = 60_000;
  private static final String BODY = "handover ".repeat(100);

  private final int port;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicBoolean ending = new AtomicBoolean();
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong longest = new AtomicLong();
  private final AtomicReference<String> lastFailure = new AtomicReference<>("");

  HandoverClients(int port) {
    this.port = port;
    for (int i = 0; i < KEPT + FRESH; i++) {
      int client = i;
      threads.add(Thread.ofPlatform().daemon().start(() -> work(client, client < KEPT)));
    }
  }

  /** The longest wait since this was asked last, connecting included. */
  long longestNanos() {
    return longest.getAndSet(0);
  }

  /** Waits until each has, on average, been answered so often. */
  void awaitAnswers(int each) throws IOException, InterruptedException {
    long until = answered.get() + (long) each * threads.size();
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS);
    while (answered.get() < until) {
      if (System.nanoTime() > deadline) {
        throw new IOException("the clients are not answered" + lastFailure.get());
      }
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  String summary() {
    return "%,d requests answered by %d clients that keep their connections and %d that do not, %d failed%s"
        .formatted(answered.get(), KEPT, FRESH, failed.get(), lastFailure.get());
  }

  private void work(int client, boolean keeps) {
    @Nullable Socket socket = null;
    try {
      for (int i = 0; !ending.get(); i++) {
        long from = System.nanoTime();
        try {
          socket = socket == null ? connect() : socket;
          boolean last = exchange(socket, i % 2 == 0 ? get(keeps) : put(client, keeps));
          answered.incrementAndGet();
          if (last) {
            socket.close();
            socket = null;
          }
        } catch (IOException broken) {
          failed.incrementAndGet();
          lastFailure.set(" (" + broken.getMessage() + ")");
          close(socket);
          socket = null;
        }
        longest.accumulateAndGet(System.nanoTime() - from, Math::max);
        TimeUnit.MILLISECONDS.sleep(keeps ? KEPT_MILLIS : FRESH_MILLIS);
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
    close(socket);
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    return socket;
  }

  private static String get(boolean keeps) {
    return "GET /d0/f0 HTTP/1.1\r\nHost: bench\r\n" + end(keeps);
  }

  private static String put(int client, boolean keeps) {
    return "PUT /handover/c%d HTTP/1.1\r\nHost: bench\r\nContent-Length: %d\r\n"
            .formatted(client, BODY.length())
        + end(keeps)
        + BODY;
  }

  private static String end(boolean keeps) {
    return keeps ? "\r\n" : "Connection: close\r\n\r\n";
  }

  /** Whether the server says that this was the connection's last answer. */
  private static boolean exchange(Socket socket, String request) throws IOException {
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    InputStream in = new BufferedInputStream(socket.getInputStream());
    String head = head(in);
    if (!head.startsWith("http/1.1 20")) {
      throw new IOException("answered " + head.lines().findFirst().orElse(""));
    }
    int length =
        head.lines()
            .filter(line -> line.startsWith("content-length:"))
            .mapToInt(line -> Integer.parseInt(line.substring(line.indexOf(':') + 1).strip()))
            .findFirst()
            .orElse(0);
    if (in.readNBytes(length).length < length) {
      throw new EOFException("the answer was cut short");
    }
    return head.contains("\r\nconnection: close\r\n");
  }

  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException("the connection ended before an answer");
      }
      head.append((char) next);
    }
    return head.toString().toLowerCase(Locale.ROOT);
  }

  private static void close(@Nullable Socket socket) {
    try {
      if (socket != null) {
        socket.close();
      }
    } catch (IOException already) {
      // It is of no use any more in any case.
    }
  }

  @Override
  public void close() {
    ending.set(true);
    threads.forEach(ThreadEnd::await);
  }
}
