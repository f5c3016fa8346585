package dev.upcall.cli.failover;

import dev.upcall.cli.crash.Comparison;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/** One connection that waits for what it asked, and forgives nothing. */
final class HandoverClient implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 60_000;

  /** A server that leaves waits half a second for the first request of who has connected. */
  private static final long LATE_NANOS = 250_000_000;

  private final Socket socket;
  private final boolean keeps;
  private final long begunNanos = System.nanoTime();
  private int sent;
  private boolean late;
  private boolean over;

  HandoverClient(int port, boolean keeps) throws IOException {
    this(port, keeps, TIMEOUT_MILLIS);
  }

  HandoverClient(int port, boolean keeps, int timeoutMillis) throws IOException {
    this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
    this.keeps = keeps;
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(timeoutMillis);
  }

  /** Whether the server has said that its answer was the last. */
  boolean isOver() {
    return over;
  }

  void put(String path, byte[] content) throws IOException {
    send(content.length, path, content);
    stored(path);
  }

  /** Begins to send a file of so many bytes. */
  void send(int length, String path, byte[] content) throws IOException {
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    request.writeBytes(head("PUT", path, "Content-Length: " + length + "\r\n"));
    request.writeBytes(content);
    send(request.toByteArray());
  }

  void send(byte[] bytes) throws IOException {
    sent++;
    late = sent == 1 && System.nanoTime() - begunNanos > LATE_NANOS;
    socket.getOutputStream().write(bytes);
    late |= sent == 1 && System.nanoTime() - begunNanos > LATE_NANOS;
  }

  /**
   * Whether nothing was sent but a first request, and so long after the connection was begun that
   * its end without an answer is this client's own doing.
   */
  boolean wasLate() {
    return late;
  }

  /** Hears that the file was stored. */
  void stored(String path) throws IOException {
    int status = answer().status();
    Comparison.check(status == 201 || status == 204, "PUT " + path + " is answered " + status);
  }

  void get(String path, byte[] wanted) throws IOException {
    send(head("GET", path, ""));
    got(path, wanted);
  }

  /** Hears the answer. */
  void got(String path, byte[] wanted) throws IOException {
    Answer answer = answer();
    Comparison.check(
        answer.status() == 200 && Arrays.equals(wanted, answer.body()),
        "GET %s is answered %d".formatted(path, answer.status()));
  }

  byte[] head(String verb, String path, String more) {
    String close = keeps ? "" : "Connection: close\r\n";
    return "%s %s HTTP/1.1\r\nHost: h\r\n%s%s\r\n"
        .formatted(verb, path, close, more)
        .getBytes(StandardCharsets.US_ASCII);
  }

  private record Answer(int status, byte[] body) {}

  private Answer answer() throws IOException {
    InputStream in = socket.getInputStream();
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException("the answer ends behind " + head);
      }
      head.append((char) next);
    }
    int length = 0;
    for (String line : head.toString().toLowerCase(Locale.ROOT).split("\r\n")) {
      if (line.startsWith("content-length:")) {
        length = Integer.parseInt(line.substring("content-length:".length()).trim());
      }
      over |= line.equals("connection: close");
    }
    byte[] body = in.readNBytes(length);
    if (body.length < length) {
      throw new EOFException("a body of %d bytes ends after %d".formatted(length, body.length));
    }
    return new Answer(Integer.parseInt(head.substring(9, 12)), body);
  }

  /** Whether the server has ended it in good order. */
  boolean hasEnded() throws IOException {
    return socket.getInputStream().read() < 0;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
