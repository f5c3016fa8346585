package dev.upcall.httpd.message;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Bodies of PATCH: bytes that are none, and bodies with bytes changed. */
class PatchBodyTest {
  private static final int ROUNDS = 20_000;

  private static final List<String> BODIES =
      List.of(
          "insert 5 3\nabc\nsplice 0 2 1\nx\ncut 9 9\r\noverwrite 1 1\ny\nappend 2\n\n\n",
          "Content-Range: bytes 2-5/12\r\nContent-Length: 4\r\n\r\nabcd",
          "--b\r\nContent-Range: bytes 0-1/*\r\n\r\nab\r\n--b\nContent-Range: bytes 5-5/9\n\nx"
              + "\r\n--b--\r\n",
          "");

  private static final List<PatchType> TYPES =
      List.of(
          new PatchType(PatchType.Format.EDITS, ""),
          new PatchType(PatchType.Format.BYTE_RANGE, ""),
          new PatchType(PatchType.Format.BYTE_RANGES, "b"));

  @Test
  void anyBytesAreReadOrRefused() {
    SplittableRandom random = new SplittableRandom(3);
    int read = 0;
    int refused = 0;
    for (int round = 0; round < ROUNDS; round++) {
      byte[] body = BODIES.get(random.nextInt(BODIES.size())).getBytes(StandardCharsets.ISO_8859_1);
      for (int changes = random.nextInt(4); changes > 0 && body.length > 0; changes--) {
        body[random.nextInt(body.length)] =
            (byte)
                (random.nextBoolean() ? random.nextInt() : "0 -\n\r:/*".charAt(random.nextInt(8)));
      }
      PatchType type = TYPES.get(random.nextInt(TYPES.size()));
      switch (PatchBody.parse(type, body)) {
        case Completion.Done<List<PatchEdit>>(List<PatchEdit> edits) -> {
          read++;
          assertFalse(edits.isEmpty());
          assertTrue(bytes(edits) <= body.length, "more than came");
        }
        case Completion.Failed<List<PatchEdit>>(Failure failure) -> {
          refused++;
          assertInstanceOf(Failure.Invalid.class, failure);
          assertTrue(failure.message().chars().allMatch(c -> c >= ' ' && c <= '~'));
        }
      }
    }
    assertTrue(read > ROUNDS / 20 && refused > ROUNDS / 20, read + " read, " + refused + " not");
  }

  /**
   * Where each byte may be the first of a boundary, where it is none, and where lines are short.
   */
  @Test
  void aLongBodyIsReadInPieces() {
    int most = 1 << 20;
    PatchType ranges = TYPES.getLast();
    assertEquals(most / PatchBody.PIECE_COST, pieces(ranges, "\0", most), 2);
    assertEquals(16 * most / PatchBody.PIECE_COST, pieces(ranges, "-", most), 33);
    assertEquals(256 * most / PatchBody.PIECE_COST, pieces(TYPES.getFirst(), "\n", most), 1);
    assertEquals(64 * most / PatchBody.PIECE_COST, pieces(TYPES.get(1), "a:b\n", most), 1);
    byte[] bytes = new byte[most];
    Arrays.fill(bytes, (byte) '-');
    String head = "--b\r\nContent-Range: bytes 0-1048575/*\r\n\r\n";
    byte[] body =
        (head + new String(bytes, StandardCharsets.ISO_8859_1) + "\r\n--b--")
            .getBytes(StandardCharsets.ISO_8859_1);
    if (PatchBody.parse(ranges, body)
        instanceof Completion.Done<List<PatchEdit>>(List<PatchEdit> edits)) {
      assertEquals(1, edits.size());
      assertArrayEquals(
          bytes, assertInstanceOf(PatchEdit.Overwrite.class, edits.getFirst()).bytes());
    } else {
      fail("refused");
    }
  }

  private static int pieces(PatchType type, String filling, int bytes) {
    byte[] body = filling.repeat(bytes / filling.length()).getBytes(StandardCharsets.ISO_8859_1);
    PatchBody reading = new PatchBody(type, body, body.length);
    int pieces = 1;
    while (reading.readPiece() == null) {
      pieces++;
    }
    return pieces;
  }

  private static long bytes(List<PatchEdit> edits) {
    long bytes = 0;
    for (PatchEdit edit : edits) {
      bytes +=
          switch (edit) {
            case PatchEdit.Append(byte[] added) -> added.length;
            case PatchEdit.Overwrite(long offset, byte[] added) -> added.length;
            case PatchEdit.Splice(long offset, long removed, byte[] added) -> added.length;
          };
    }
    return bytes;
  }

  @Test
  void types() {
    assertNull(PatchType.of(null));
    assertNull(PatchType.of(""));
    assertNull(PatchType.of("application/octet-stream"));
    assertNull(PatchType.of("multipart/byteranges"));
    assertNull(PatchType.of("multipart/byteranges; boundary="));
    assertNull(PatchType.of("multipart/byteranges; boundary=" + "x".repeat(71)));
    assertEquals(
        new PatchType(PatchType.Format.BYTE_RANGES, "a b"),
        PatchType.of("Multipart/ByteRanges; x=y; Boundary=\"a b\""));
    assertEquals(
        PatchType.Format.EDITS, PatchType.of(" application/vnd.upcall.edits ;q=1").format());
  }
}
