package dev.upcall.table;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** A line of JSON for an entry. */
class EntryLineTest {
  @Test
  void text_isEscapedAsJsonWantsIt() {
    assertEquals(
        "{\"key\":\"a\\\"b\\\\\",\"value\":\"\\n\\r\\t\\u0001\\u001f\u00e9\uD83D\uDE00\"}",
        EntryLine.of(
            "a\"b\\".getBytes(UTF_8), "\n\r\t\u0001\u001f\u00e9\uD83D\uDE00".getBytes(UTF_8)));
  }

  @Test
  void bytesThatAreNoText_areHexadecimal() {
    assertEquals(
        "{\"keyHex\":\"ff00\",\"value\":\"\"}",
        EntryLine.of(new byte[] {(byte) 0xFF, 0}, new byte[0]));
    assertEquals(
        "{\"keyHex\":\"61\",\"valueHex\":\"62\"}",
        EntryLine.ofHex("a".getBytes(UTF_8), "b".getBytes(UTF_8)));
  }
}
