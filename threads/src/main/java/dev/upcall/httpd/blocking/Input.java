package dev.upcall.httpd.blocking;

import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.message.RequestDecoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What a client sends, as its thread asks for it: bytes are read into one array, which serves again
 * as soon as the decoder needs nothing of it any more. Between requests that is small, since most
 * connections only wait.
 */
final class Input {
  private static final int FIRST_BYTES = 2048;

  /** How a wait for bytes went. */
  enum Outcome {
    /** Some have come. */
    MORE,
    /** There will be none. */
    END,
    /** None have come in time. */
    LATE
  }

  private final ClientSocket socket;
  private final RequestDecoder decoder;
  private final int headBytes;
  private final int bodyBytes;
  private byte[] array = {};
  private @Nullable ByteBuf lent;
  private boolean ended;

  Input(ClientSocket socket, HttpConfig config) {
    this.socket = socket;
    this.decoder = new RequestDecoder(config);
    this.headBytes = Math.min(FIRST_BYTES, config.connections().receiveBufferBytes());
    this.bodyBytes = config.connections().receiveBufferBytes();
  }

  /** The next request among the bytes that have come, or null. */
  @Nullable HttpRequest request() {
    return decoder.next();
  }

  /** The next piece of the present request's body among them, which passes to the caller. */
  @Nullable HttpContent body() {
    return decoder.body();
  }

  /** Waits for a request to begin. */
  Outcome awaitFirst() throws IOException {
    byte[] into = room(headBytes);
    return take(into, socket.readFirst(into));
  }

  /** Waits for more of a head. */
  Outcome awaitHead(long deadlineNanos) throws IOException {
    byte[] into = room(headBytes);
    return take(into, socket.readHead(into, deadlineNanos));
  }

  /** Waits for more of a body. */
  Outcome awaitBody(long deadlineNanos) throws IOException {
    byte[] into = room(bodyBytes);
    return take(into, socket.readUntil(into, deadlineNanos));
  }

  /** Throws away what comes until the input ends; false if it did not in time. */
  boolean readOver(long deadlineNanos) throws IOException {
    decoder.discardInput();
    byte[] into = room(headBytes);
    int count = 0;
    while (count >= 0) {
      count = socket.readUntil(into, deadlineNanos);
    }
    return count != ClientSocket.LATE;
  }

  private byte[] room(int bytes) {
    boolean free = lent == null || lent.refCnt() == 0;
    if (!free || array.length != bytes) {
      array = new byte[bytes];
    }
    return array;
  }

  private Outcome take(byte[] bytes, int count) {
    if (count == ClientSocket.LATE) {
      return Outcome.LATE;
    }
    if (count < 0) {
      ended = true;
      return Outcome.END;
    }
    ByteBuf arrived = Unpooled.wrappedBuffer(bytes, 0, count);
    lent = arrived;
    decoder.offer(arrived);
    return Outcome.MORE;
  }

  /** Whether the client sends no more. */
  boolean hasEnded() {
    return ended;
  }

  /** Whether a part of a message has come whose rest is awaited. */
  boolean insideMessage() {
    return decoder.insideMessage();
  }

  /** Whether the end of the present request's body has not come yet. */
  boolean insideBody() {
    return decoder.insideBody();
  }

  /** Whether bytes have come that were not looked at yet. */
  boolean hasMore() {
    return decoder.hasInput();
  }

  /** Gives up what has come. */
  void discard() {
    decoder.discardInput();
  }
}
