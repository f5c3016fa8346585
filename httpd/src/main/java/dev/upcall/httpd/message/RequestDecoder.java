package dev.upcall.httpd.message;

import dev.upcall.httpd.HttpConfig;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpConstants;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a stream of bytes into requests and the pieces of their bodies: Netty's codec, driven by
 * hand and one step at a time, so that it needs no channel, that pipelined requests wait as bytes
 * and not as objects, and that a simulated connection or a thread can use it as well.
 *
 * <p>The codec is asked to be strict (line ends, framing that contradicts itself). What it lets
 * pass all the same is refused here: header lines that are continued on the next one (RFC 9112,
 * section 5.2), which servers read in different ways, and versions in small letters. Chunks, which
 * may be as large as a body, are taken apart by {@link ChunkDecoder}.
 */
public final class RequestDecoder {
  /** Opens the codec's one step. It uses no context, which {@code HttpSyntaxTest} watches. */
  private static final class Codec extends HttpRequestDecoder {
    private Codec(HttpDecoderConfig config) {
      super(config);
    }

    /** The coding of the body behind the head that was read last, as it came. */
    private List<String> codings = List.of();

    /** Netty reads versions in any case; they are names with a digit on each side of a point. */
    @Override
    protected HttpMessage createMessage(String[] line) throws Exception {
      if (!line[2].equals("HTTP/1.1") && !VERSION.matcher(line[2]).matches()) {
        throw new IllegalArgumentException("no version of HTTP: " + line[2]);
      }
      return super.createMessage(line);
    }

    /** Bodies in a coding are not the codec's: to it, such a request ends behind its head. */
    @Override
    protected boolean isContentAlwaysEmpty(HttpMessage message) {
      HttpHeaders headers = message.headers();
      if (headers.contains(HttpHeaderNames.TRANSFER_ENCODING)) {
        codings = List.copyOf(headers.getAll(HttpHeaderNames.TRANSFER_ENCODING));
      }
      return !codings.isEmpty();
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

  private static final Pattern VERSION = Pattern.compile("HTTP/[0-9]\\.[0-9]");

  private final Codec codec;
  private final HttpConfig.Requests limits;
  private final List<Object> decoded = new ArrayList<>(2);
  private @Nullable ByteBuf input;
  private @Nullable HttpRequest head;
  private @Nullable HttpContent piece;
  private @Nullable ChunkDecoder chunks;
  private boolean insideMessage;
  private boolean insideBody;
  private boolean headBegun;
  private boolean broken;

  /** A decoder with the limits of a configuration. */
  public RequestDecoder(HttpConfig config) {
    limits = config.requests();
    codec =
        new Codec(
            new HttpDecoderConfig()
                .setMaxInitialLineLength(config.requests().maxLineBytes())
                .setMaxHeaderSize(config.requests().maxHeaderBytes())
                .setMaxChunkSize(HttpConfig.SLICE_BYTES)
                .setStrictLineParsing(true)
                .setUseRfc9112TransferEncoding(true));
  }

  /** Takes bytes, which pass to this decoder. */
  public void offer(ByteBuf bytes) {
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
   * {@code decoderResult}, and nothing that follows it is read. What is left of the body of the
   * request before is read over first.
   */
  public @Nullable HttpRequest next() {
    while (true) {
      releasePiece();
      if (input == null || broken) {
        return null;
      }
      if (!insideBody && isFolded(input)) {
        return folded();
      }
      boolean moved = step(input);
      HttpRequest request = head;
      head = null;
      if (request != null || !moved) {
        return request;
      }
    }
  }

  /**
   * The next piece of the body of the request that {@link #next} gave, which passes to the caller;
   * null if more bytes are needed. The last one is a {@link LastHttpContent}, perhaps empty; a
   * failed {@code decoderResult} says that the body broke the rules.
   */
  public @Nullable HttpContent body() {
    boolean moved = true;
    while (piece == null && moved && input != null) {
      moved = step(input);
    }
    HttpContent next = piece;
    piece = null;
    return next;
  }

  /** Whether a part of a message has come whose rest is awaited. */
  public boolean insideMessage() {
    return insideMessage || input != null;
  }

  /** Whether the end of the present request's body has not come yet. */
  public boolean insideBody() {
    return insideBody;
  }

  /** Whether there are bytes that were not decoded yet. */
  public boolean hasInput() {
    return input != null;
  }

  /** How many. */
  public int inputBytes() {
    return input == null ? 0 : input.readableBytes();
  }

  /** Throws away the bytes that were not decoded. */
  public void discardInput() {
    releasePiece();
    if (input != null) {
      input.release();
      input = null;
    }
  }

  /** One step of the codec, which gives a head, a piece of a body, both or neither. */
  private boolean step(ByteBuf in) {
    int before = in.readerIndex();
    ChunkDecoder chunked = chunks;
    boolean gave = chunked == null ? codecStep(in) : chunkStep(chunked, in);
    boolean moved = gave || in.readerIndex() != before;
    if (!in.isReadable() || broken) {
      in.release();
      input = null;
    }
    return moved;
  }

  private boolean chunkStep(ChunkDecoder chunked, ByteBuf in) {
    HttpContent content = chunked.next(in);
    if (content != null) {
      arrived(content);
    }
    return content != null;
  }

  private boolean codecStep(ByteBuf in) {
    int before = in.readerIndex();
    int begin = insideBody ? before : firstVisible(in, before);
    codec.step(in, decoded);
    boolean gave = !decoded.isEmpty();
    insideMessage |= gave || in.readerIndex() != before;
    headBegun |= !insideBody && in.readerIndex() > begin;
    for (Object part : decoded) {
      if (part instanceof HttpRequest request) {
        begun(request);
      }
      if (part instanceof HttpContent content && chunks == null) {
        arrived(content);
      }
    }
    decoded.clear();
    return gave;
  }

  private void begun(HttpRequest request) {
    head = request;
    insideBody = true;
    headBegun = false;
    if (!codec.codings.isEmpty()) {
      request.headers().set(HttpHeaderNames.TRANSFER_ENCODING, codec.codings);
      codec.codings = List.of();
      chunks = new ChunkDecoder(limits.maxHeaderBytes(), HttpConfig.SLICE_BYTES);
    }
  }

  private void arrived(HttpContent content) {
    releasePiece();
    piece = content;
    insideBody = !(content instanceof LastHttpContent);
    insideMessage = insideBody;
    if (!insideBody) {
      chunks = null;
      broken |= content.decoderResult().isFailure();
    }
  }

  /** Whether a line of the head that is being read begins with a blank. */
  private boolean isFolded(ByteBuf in) {
    int at = in.readerIndex();
    int end = in.writerIndex();
    if (!headBegun) {
      at = firstVisible(in, at);
    } else if (at < end && isBlank(in.getByte(at))) {
      return true;
    } else if (at < end && isLineEnd(in.getByte(at))) {
      return false; // nothing is left of the head but its end; what follows is a body
    }
    for (at = in.indexOf(at, end, HttpConstants.LF);
        at >= 0 && at + 1 < end;
        at = in.indexOf(at + 1, end, HttpConstants.LF)) {
      byte next = in.getByte(at + 1);
      if (isBlank(next)) {
        return true;
      }
      if (isLineEnd(next)) {
        return false; // the end of the head
      }
    }
    return false;
  }

  /** The codec skips what cannot be seen before a request line. */
  private static int firstVisible(ByteBuf in, int from) {
    int at = from;
    while (at < in.writerIndex() && in.getByte(at) >= 0 && in.getByte(at) <= ' ') {
      at++;
    }
    return at;
  }

  private static boolean isBlank(byte b) {
    return b == HttpConstants.SP || b == HttpConstants.HT;
  }

  private static boolean isLineEnd(byte b) {
    return b == HttpConstants.CR || b == HttpConstants.LF;
  }

  private HttpRequest folded() {
    broken = true;
    insideMessage = true;
    discardInput();
    HttpRequest refused = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
    refused.setDecoderResult(
        DecoderResult.failure(new IllegalArgumentException("a header line is continued")));
    return refused;
  }

  private void releasePiece() {
    if (piece != null) {
      piece.release();
      piece = null;
    }
  }
}
