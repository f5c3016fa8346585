package dev.upcall.httpd;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a stream of bytes into requests: Netty's codec, driven by hand and one request at a time, so
 * that it needs no channel, that pipelined requests wait as bytes and not as objects, and that a
 * simulated connection or a thread can use it as well. Bodies are read over.
 */
final class RequestDecoder {
  /** Opens the codec's one step. It uses no context, which {@code RequestDecoderTest} watches. */
  private static final class Codec extends HttpRequestDecoder {
    private Codec(HttpDecoderConfig config) {
      super(config);
    }

    @SuppressWarnings("NullAway") // see above
    private void step(ByteBuf in, List<Object> out) {
      try {
        decode(null, in, out);
      } catch (Exception unexpected) {
        throw new IllegalStateException("request codec", unexpected);
      }
    }
  }

  private final Codec codec;
  private final List<Object> decoded = new ArrayList<>(2);
  private @Nullable ByteBuf input;
  private boolean insideMessage;

  /** A decoder with the limits of a configuration. */
  RequestDecoder(HttpConfig config) {
    codec =
        new Codec(
            new HttpDecoderConfig()
                .setMaxInitialLineLength(config.maxRequestLineBytes())
                .setMaxHeaderSize(config.maxHeaderBytes())
                .setMaxChunkSize(config.receiveBufferBytes()));
  }

  /** Takes bytes, which pass to this decoder. */
  void offer(ByteBuf bytes) {
    ByteBuf before = input;
    if (before == null) {
      input = bytes;
      return;
    }
    ByteBuf joined = before.alloc().buffer(before.readableBytes() + bytes.readableBytes());
    joined.writeBytes(before).writeBytes(bytes);
    before.release();
    bytes.release();
    input = joined;
  }

  /**
   * The next request whose head is complete, or null. A request that breaks the rules has a failed
   * {@code decoderResult}, and nothing that follows it is read. The body of the request before is
   * read over first.
   */
  @Nullable HttpRequest next() {
    HttpRequest request = null;
    boolean moves = true;
    while (request == null && moves && input != null) {
      ByteBuf in = input;
      int before = in.readerIndex();
      codec.step(in, decoded);
      moves = !decoded.isEmpty() || in.readerIndex() != before;
      insideMessage |= moves;
      for (Object part : decoded) {
        if (part instanceof HttpRequest head) {
          request = head;
        }
        if (part instanceof HttpContent content) {
          insideMessage = !(part instanceof LastHttpContent);
          content.release();
        }
      }
      decoded.clear();
      if (!in.isReadable()) {
        discardInput();
      }
    }
    return request;
  }

  /** Whether a part of a message has come whose rest is awaited. */
  boolean insideMessage() {
    return insideMessage || input != null;
  }

  /** Whether there are bytes that were not decoded yet. */
  boolean hasInput() {
    return input != null;
  }

  /** Throws away the bytes that were not decoded. */
  void discardInput() {
    if (input != null) {
      input.release();
      input = null;
    }
  }
}
