package dev.upcall.httpd.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.httpd.HttpConfig;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies in chunks, through the decoder of requests. */
class ChunkDecoderTest {
  private static final String HEAD =
      "PUT /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";

  private final RequestDecoder decoder = new RequestDecoder(HttpConfig.defaults());

  private void begin() {
    offer(HEAD);
    HttpRequest request = decoder.next();
    assertNotNull(request);
    assertEquals("chunked", request.headers().get("Transfer-Encoding"));
  }

  private void offer(String text) {
    decoder.offer(Unpooled.wrappedBuffer(text.getBytes(StandardCharsets.ISO_8859_1)));
  }

  /** The content, and a mark for how it ends: {@code |} well, {@code !} broken, else not yet. */
  private String read() {
    StringBuilder text = new StringBuilder();
    for (HttpContent piece = decoder.body(); piece != null; piece = decoder.body()) {
      text.append(piece.content().toString(StandardCharsets.ISO_8859_1));
      piece.release();
      if (piece.decoderResult().isFailure()) {
        return text + "!";
      }
      if (piece instanceof LastHttpContent) {
        return text + "|";
      }
    }
    return text.toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '^',
      value = {
        "0~~ ^ |",
        "3~abc~0~~ ^ abc|",
        "003~abc~000~~ ^ abc|",
        "A~0123456789~0~~ ^ 0123456789|",
        "a~0123456789~0~~ ^ 0123456789|",
        "3;x=y~abc~0;z~~ ^ abc|",
        "3 ; x=\"a b\"~abc~0~~ ^ abc|",
        "3\t \t;x~abc~0 ;z~~ ^ abc|",
        "3;~abc~0;~~ ^ abc|",
        "00000000000003~abc~0~~ ^ abc|",
        "3~abc~0~T: u~t2:v w~~ ^ abc|",
        "3~a~b~0~~ ^ a!",
        "3~abc~0~T: u~V:~~ ^ abc|",
        "3~abc~0~T: u~ ^ abc",
        "3~abc~2~d ^ abcd"
      })
  void wellFramed(String body, String text) {
    begin();
    offer(body.replace("~", "\r\n").replace("a\r\nb", "a\rxb"));
    assertEquals(text.replace("a!", "a\rx!"), read());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "~",
        "x~",
        "-1~",
        "+1~",
        "0x1~",
        ";~",
        " 1~a~",
        "1\na",
        "1\r\ra",
        "1~ab~",
        "1~a\n",
        "1234567890123456~",
        "0000000000000003~abc~0~~",
        "fffffffffffffffff~",
        "5 x~hello~0~~",
        "5 x;y~hello~0~~",
        "5\tx~hello~0~~",
        "5 5~hello~0~~",
        "5 ~hello~0~~",
        "5\t~hello~0~~",
        "5 \n",
        " 5~hello~0~~",
        "\t5~hello~0~~",
        "5_0~",
        "5,0~",
        "5.0~",
        "5h~",
        "5L~",
        "1e+1~",
        "0X5~",
        "+5~",
        "\"5\"~",
        "5=x~",
        "5\u000b~hello~",
        "5\f~hello~",
        "5\u0000~hello~",
        "5\u00a0~hello~",
        "5\rx",
        "5~hello0~~",
        "5~hello\n0~~",
        "5~hello\rx",
        "5~hello ~0~~",
        "5~hell~0~~",
        "5~hello~~0~~",
        "0 ~~",
        "0~ ~",
        "0~\n",
        "0~T u: v~~",
        "0~T : u~~",
        "0~T: u\r\r",
        "0~T\u0000: u~~",
        "0~GET / HTTP/1.1~~",
        "1;\u0001~a~",
        "1;\n~a~",
        "0~ folded~~",
        "0~T: u~ folded~~",
        "0~no colon~~",
        "0~: nameless~~",
        "0~a b: c~~",
        "0~a: b\u0001~~",
        "0~a: b\n~",
        "0~\r\r"
      })
  void brokenFraming(String body) {
    begin();
    offer(body.replace("~", "\r\n"));
    assertTrue(read().endsWith("!"));
    offer("GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n");
    assertNull(decoder.next(), "nothing behind it is believed");
    decoder.discardInput();
  }

  @Test
  void whatIsReadOverIsBounded() {
    begin();
    offer("1;" + "x".repeat(20_000));
    assertEquals("!", read());
    RequestDecoder other = new RequestDecoder(HttpConfig.defaults());
    String trailers = HEAD + "0\r\n" + "T: u\r\n".repeat(6_000);
    other.offer(Unpooled.wrappedBuffer(trailers.getBytes(StandardCharsets.ISO_8859_1)));
    assertNotNull(other.next());
    assertTrue(other.body().decoderResult().isFailure());
  }

  @Test
  void aChunkMayBeAsLargeAsABody() {
    begin();
    long size = (5L << 32) + 5;
    offer(Long.toHexString(size) + "\r\n");
    byte[] piece = new byte[16 << 20];
    long read = 0;
    while (read < size) {
      decoder.offer(Unpooled.wrappedBuffer(piece, 0, (int) Math.min(piece.length, size - read)));
      read += readPieces();
    }
    assertEquals(size, read);
    offer("\r\n0\r\n\r\nGET /next HTTP/1.1\r\nHost: a\r\n\r\n");
    assertEquals("|", read());
    assertEquals("/next", decoder.next().uri());
  }

  private long readPieces() {
    long bytes = 0;
    for (HttpContent piece = decoder.body(); piece != null; piece = decoder.body()) {
      ByteBuf content = piece.content();
      assertTrue(content.readableBytes() <= HttpConfig.SLICE_BYTES);
      bytes += content.readableBytes();
      piece.release();
    }
    return bytes;
  }
}
