package dev.upcall.specweb.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.specweb.FileSet;
import dev.upcall.specweb.load.Fault;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses are read in whatever pieces they come, and whatever is wrong with one is named. */
class ResponseReaderTest {
  private static final FileSet.Entry ENTRY = new FileSet.Entry(3, 1, 0);
  private static final String HEAD =
      "HTTP/1.1 200 OK\r\nServer: some one\r\ncontent-LENGTH:  1024 \r\n\r\n";

  private final ResponseReader reader = new ResponseReader();

  private static byte[] response(String head, byte[] body) {
    byte[] text = head.getBytes(StandardCharsets.US_ASCII);
    byte[] all = Arrays.copyOf(text, text.length + body.length);
    System.arraycopy(body, 0, all, text.length, body.length);
    return all;
  }

  private ResponseReader.Progress read(byte[] bytes, int from, int to) {
    ByteBuf piece = Unpooled.copiedBuffer(bytes, from, to - from);
    try {
      return reader.read(piece);
    } finally {
      piece.release();
    }
  }

  private ResponseReader.Progress readAll(String head, byte[] body) {
    reader.expect(ENTRY, true);
    byte[] all = response(head, body);
    return read(all, 0, all.length);
  }

  private void assertWrong(Fault fault, String head, byte[] body) {
    assertEquals(ResponseReader.Progress.WRONG, readAll(head, body));
    assertEquals(fault, reader.fault(), reader.detail());
  }

  @Test
  void everySplitIsRead() {
    byte[] all = response(HEAD, ENTRY.content());
    for (int split = 1; split < all.length; split++) {
      reader.expect(ENTRY, true);
      assertEquals(ResponseReader.Progress.MORE, read(all, 0, split), "split at " + split);
      assertEquals(ResponseReader.Progress.COMPLETE, read(all, split, all.length), "at " + split);
    }
    assertEquals("some one", reader.server());
    assertTrue(reader.keepsAlive());
  }

  @Test
  void singleBytesAreRead() {
    byte[] all = response(HEAD, ENTRY.content());
    reader.expect(ENTRY, true);
    for (int i = 0; i < all.length - 1; i++) {
      assertEquals(ResponseReader.Progress.MORE, read(all, i, i + 1), "byte " + i);
    }
    assertEquals(ResponseReader.Progress.COMPLETE, read(all, all.length - 1, all.length));
  }

  @Test
  void bareLineFeedsAreUnderstood() {
    assertEquals(
        ResponseReader.Progress.COMPLETE,
        readAll("HTTP/1.0 200 OK\nContent-Length: 1024\n\n", ENTRY.content()));
    assertEquals(false, reader.keepsAlive());
  }

  @Test
  void wrongByteIsFoundWhereItIs() {
    byte[] body = ENTRY.content();
    body[777] ^= 1;
    assertWrong(Fault.CONTENT, HEAD, body);
    assertTrue(reader.detail().contains("777"), reader.detail());
    reader.expect(ENTRY, false);
    byte[] all = response(HEAD, body);
    assertEquals(
        ResponseReader.Progress.COMPLETE, read(all, 0, all.length), "only lengths are compared");
  }

  @Test
  void wrongLengthsAreWrong() {
    assertWrong(Fault.LENGTH, HEAD.replace("1024", "1023"), ENTRY.content());
    assertWrong(Fault.LENGTH, HEAD.replace("1024", "1025"), ENTRY.content());
    assertWrong(Fault.LENGTH, "HTTP/1.1 200 OK\r\n\r\n", ENTRY.content());
    assertWrong(Fault.LENGTH, HEAD, Arrays.copyOf(ENTRY.content(), 1025));
  }

  @ParameterizedTest
  @ValueSource(strings = {"404 Not Found", "206 Partial Content", "301 Moved", "500 Oops", "100 C"})
  void otherStatusesAreWrong(String status) {
    assertWrong(Fault.STATUS, HEAD.replace("200 OK", status), ENTRY.content());
    assertTrue(reader.detail().contains(status.substring(0, 3)), reader.detail());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SSH-2.0-OpenSSH\r\n\r\n",
        "HTTP/1.1 2x0 OK\r\nContent-Length: 1024\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: \r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1024\r\nTransfer-Encoding: chunked\r\n\r\n",
        "\r\n\r\n",
      })
  void otherHeadsAreWrong(String head) {
    assertWrong(Fault.HEAD, head, ENTRY.content());
  }

  @Test
  void endlessHeadIsWrong() {
    String endless = "X: " + "y".repeat(ResponseHead.MAX_BYTES) + "\r\n";
    assertWrong(Fault.HEAD, "HTTP/1.1 200 OK\r\n" + endless, new byte[0]);
    reader.expect(ENTRY, true);
    byte[] line = "X: y\r\n".getBytes(StandardCharsets.US_ASCII);
    read(response("HTTP/1.1 200 OK\r\n", new byte[0]), 0, 17);
    ResponseReader.Progress progress = ResponseReader.Progress.MORE;
    int lines = 0;
    while (progress == ResponseReader.Progress.MORE && lines < ResponseHead.MAX_BYTES) {
      progress = read(line, 0, line.length);
      lines++;
    }
    assertEquals(ResponseReader.Progress.WRONG, progress);
  }

  @Test
  void bytesThatNobodyAskedForAreWrong() {
    assertEquals(ResponseReader.Progress.COMPLETE, readAll(HEAD, ENTRY.content()));
    assertEquals(ResponseReader.Progress.WRONG, read(new byte[] {1}, 0, 1));
  }

  @Test
  void connectionFieldDecides() {
    readAll(HEAD.replace("Server", "Connection: CLOSE\r\nServer"), ENTRY.content());
    assertEquals(false, reader.keepsAlive());
    readAll(
        HEAD.replace("1.1", "1.0").replace("Server", "connection: Keep-Alive\r\nServer"),
        ENTRY.content());
    assertEquals(true, reader.keepsAlive());
  }

  @Test
  void tableIsTheFileSet() {
    for (int directory : new int[] {0, 1, 63, 64, 99, 99_999}) {
      for (int number = 0; number < FileSet.FILES_PER_DIRECTORY; number++) {
        FileSet.Entry entry =
            new FileSet.Entry(
                directory, number / FileSet.FILES_PER_CLASS, number % FileSet.FILES_PER_CLASS);
        ByteBuf body = Unpooled.wrappedBuffer(entry.content());
        int size = entry.sizeBytes();
        assertEquals(-1, BodyPattern.firstDifference(entry, 0, body, 0, size), entry.path());
        int from = size / 3;
        assertEquals(
            -1, BodyPattern.firstDifference(entry, from, body, from, size - from), entry.path());
        int bad = size - 1 - number;
        body.setByte(bad, body.getByte(bad) ^ 2);
        assertEquals(bad, BodyPattern.firstDifference(entry, 0, body, 0, size), entry.path());
      }
    }
  }

  @Test
  void requestsAreWhatTheyShouldBe() {
    Target target = Target.of("http://127.0.0.1:8080/some/where/");
    RequestText text = new RequestText(target);
    ByteBuf out = Unpooled.buffer();
    FileSet.Entry entry = new FileSet.Entry(12_345, 2, 8);
    text.write(entry, RequestText.Kind.ONCE, out);
    assertEquals(
        "GET /some/where/"
            + entry.path()
            + " HTTP/1.0\r\nHost: 127.0.0.1:8080\r\nUser-Agent: upcall-specweb\r\n\r\n",
        out.toString(StandardCharsets.US_ASCII));
    out.clear();
    text.write(new FileSet.Entry(0, 0, 0), RequestText.Kind.LAST, out);
    String last = out.toString(StandardCharsets.US_ASCII);
    assertTrue(last.startsWith("GET /some/where/file_set/dir00000/class0_0 HTTP/1.1\r\n"), last);
    assertTrue(last.endsWith("\r\nConnection: close\r\n\r\n"), last);
    assertTrue(out.readableBytes() <= text.maxBytes());
  }
}
