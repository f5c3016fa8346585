package dev.upcall.cli.practice;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.util.Locale;

/** A connection to a server, which answers one request after the other. */
final class Client implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 20_000;
  private static final int BUFFER_BYTES = 64 << 10;
  private static final String LENGTH = "content-length:";

  private final Socket socket;
  private final InputStream in;

  private Client(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES);
  }

  static Client of(InetSocketAddress server) throws IOException {
    Socket socket = new Socket();
    try {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.connect(server, PATIENCE_MILLIS);
      return new Client(socket);
    } catch (IOException refused) {
      socket.close();
      throw refused;
    }
  }

  void say(Exchange exchange) throws IOException {
    socket.getOutputStream().write(exchange.request());
  }

  /** Takes the answer to what was said last. */
  void hear(Exchange exchange) throws IOException {
    check(line(), exchange.status());
    long lengthBytes = 0;
    for (String header = line(); !header.isEmpty(); header = line()) {
      if (header.toLowerCase(Locale.ROOT).startsWith(LENGTH)) {
        lengthBytes = Long.parseLong(header.substring(LENGTH.length()).strip());
      }
    }
    if (exchange.body()) {
      in.skipNBytes(lengthBytes);
    }
  }

  /** Takes an answer with which the connection ends. */
  void hearLast() throws IOException {
    check(line(), 200);
    in.transferTo(OutputStream.nullOutputStream());
  }

  private static void check(String line, int status) throws ProtocolException {
    if (!line.startsWith("HTTP/1.1 " + status)) {
      throw new ProtocolException("the server answered " + line + ", not " + status);
    }
  }

  private String line() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("the server ended an answer early");
      }
      text.append((char) next);
    }
    return text.toString().strip();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
