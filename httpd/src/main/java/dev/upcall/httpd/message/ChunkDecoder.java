package dev.upcall.httpd.message;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpConstants;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import org.jspecify.annotations.Nullable;

/**
 * Takes the chunks of one body apart (RFC 9112, section 7.1), byte by byte and strictly: what could
 * be read in two ways is refused. Netty's codec knows no chunk of 2 GiB and more. Extensions and
 * trailers are read over; their length is bounded. One thread at a time.
 */
final class ChunkDecoder {
  private static final int MAX_SIZE_DIGITS = 15;
  private static final String SEPARATORS = "\"(),/;<=>?@[\\]{}";

  private enum State {
    /** The digits of a chunk's size. */
    SIZE,
    /** Blanks behind the digits, which only an extension may follow. */
    BLANKS,
    /** An extension, up to the end of the line. */
    EXTENSION,
    /** The end of that line, its second byte. */
    SIZE_END,
    /** The bytes themselves. */
    DATA,
    /** The end behind them, its first byte. */
    DATA_RETURN,
    /** Its second byte. */
    DATA_END,
    /** The first byte of a trailer's line, or of the empty one behind them. */
    TRAILER_BEGIN,
    /** A trailer's name. */
    TRAILER_NAME,
    /** A trailer's value. */
    TRAILER_VALUE,
    /** The end of a trailer's line, its second byte. */
    TRAILER_END,
    /** The second byte of the empty line. */
    LAST,
    /** Nothing more. */
    OVER
  }

  private final int maxReadOverBytes;
  private final int maxPieceBytes;
  private State state = State.SIZE;
  private long sizeBytes;
  private int digits;
  private int readOverBytes;

  /**
   * At the first chunk.
   *
   * @param maxReadOverBytes of one chunk's extensions, and of all trailers
   * @param maxPieceBytes of content that it gives at once
   */
  ChunkDecoder(int maxReadOverBytes, int maxPieceBytes) {
    this.maxReadOverBytes = maxReadOverBytes;
    this.maxPieceBytes = maxPieceBytes;
  }

  /**
   * The next piece, which shares the bytes given and passes to the caller; null when more are
   * needed. Behind the last one nothing may be asked any more. A failed {@code decoderResult} says
   * that the body broke the rules, and is the last.
   */
  @Nullable HttpContent next(ByteBuf in) {
    while (in.isReadable()) {
      if (state == State.DATA) {
        return data(in);
      }
      State next = after(in.readByte());
      if (next == null) {
        state = State.OVER;
        HttpContent broken = new DefaultLastHttpContent(Unpooled.EMPTY_BUFFER);
        broken.setDecoderResult(
            DecoderResult.failure(new IllegalArgumentException("a body in broken chunks")));
        return broken;
      }
      state = next;
      if (state == State.OVER) {
        return LastHttpContent.EMPTY_LAST_CONTENT;
      }
    }
    return null;
  }

  private HttpContent data(ByteBuf in) {
    int bytes = (int) Math.min(sizeBytes, Math.min(in.readableBytes(), maxPieceBytes));
    sizeBytes -= bytes;
    if (sizeBytes == 0) {
      state = State.DATA_RETURN;
    }
    return new DefaultHttpContent(in.readRetainedSlice(bytes));
  }

  /** The state behind a byte, or null if it may not come here. */
  private @Nullable State after(byte b) {
    return switch (state) {
      case SIZE -> size(b);
      case BLANKS -> extension(b);
      case EXTENSION -> text(b, State.SIZE_END);
      case SIZE_END -> b == HttpConstants.LF ? sizeIsKnown() : null;
      case DATA_RETURN -> b == HttpConstants.CR ? State.DATA_END : null;
      case DATA_END -> b == HttpConstants.LF ? nextSize() : null;
      case TRAILER_BEGIN -> b == HttpConstants.CR ? State.LAST : trailerName(b);
      case TRAILER_NAME -> b == ':' ? State.TRAILER_VALUE : trailerName(b);
      case TRAILER_VALUE -> text(b, State.TRAILER_END);
      case TRAILER_END -> b == HttpConstants.LF ? State.TRAILER_BEGIN : null;
      case LAST -> b == HttpConstants.LF ? State.OVER : null;
      case DATA, OVER -> throw new IllegalStateException("no line is read " + state);
    };
  }

  private @Nullable State size(byte b) {
    int digit = Character.digit(b, 16);
    if (digit >= 0 && digits < MAX_SIZE_DIGITS) {
      digits++;
      sizeBytes = sizeBytes << 4 | digit;
      return State.SIZE;
    }
    if (digits == 0) {
      return null;
    }
    return b == HttpConstants.CR ? State.SIZE_END : extension(b);
  }

  /** Blanks may stand before the semicolon of an extension, and nowhere else. */
  private @Nullable State extension(byte b) {
    if (b == ';') {
      return State.EXTENSION;
    }
    boolean blank = b == HttpConstants.SP || b == HttpConstants.HT;
    return blank && mayReadOver() ? State.BLANKS : null;
  }

  private State sizeIsKnown() {
    readOverBytes = 0;
    return sizeBytes == 0 ? State.TRAILER_BEGIN : State.DATA;
  }

  private State nextSize() {
    digits = 0;
    return State.SIZE;
  }

  private @Nullable State trailerName(byte b) {
    boolean token = b > ' ' && b < 127 && b != ':' && SEPARATORS.indexOf(b) < 0;
    return token && mayReadOver() ? State.TRAILER_NAME : null;
  }

  /** A byte of the rest of a line, which means nothing but its end. */
  private @Nullable State text(byte b, State end) {
    if (b == HttpConstants.CR) {
      return end;
    }
    boolean visible = b < 0 || (b >= ' ' && b < 127) || b == HttpConstants.HT;
    return visible && mayReadOver() ? state : null;
  }

  private boolean mayReadOver() {
    return ++readOverBytes <= maxReadOverBytes;
  }
}
