package dev.upcall.table;

import dev.upcall.completion.Completion;
import dev.upcall.content.Texts;
import java.util.HexFormat;
import java.util.Objects;

/**
 * An entry of a table as a line of JSON, in the form of an export and of {@code upcall table dump}:
 * {@code {"key":"a","value":"b"}}, with {@code keyHex} and {@code valueHex} for bytes that are no
 * text in UTF-8.
 */
public final class EntryLine {
  private EntryLine() {}

  /** The line of an entry, without an end of line. */
  public static String of(byte[] key, byte[] value) {
    return line(key, value, /* hex= */ false);
  }

  /** As {@link #of}, with key and value in hexadecimal whatever they are. */
  public static String ofHex(byte[] key, byte[] value) {
    return line(key, value, /* hex= */ true);
  }

  /** The line of an entry whose value is not in it: its key, and how many bytes are missing. */
  static String leftOut(byte[] key, long valueBytes, boolean hex) {
    StringBuilder line = new StringBuilder(key.length + 48).append('{');
    field(line, "key", key, hex);
    return line.append(",\"leftOutBytes\":").append(valueBytes).append('}').toString();
  }

  private static String line(byte[] key, byte[] value, boolean hex) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    StringBuilder line = new StringBuilder(key.length + value.length + 24).append('{');
    field(line, "key", key, hex);
    field(line.append(','), "value", value, hex);
    return line.append('}').toString();
  }

  private static void field(StringBuilder line, String name, byte[] bytes, boolean hex) {
    if (!hex && Texts.decode("an entry", bytes) instanceof Completion.Done<String>(String text)) {
      quote(line.append('"').append(name).append("\":"), text);
    } else {
      line.append('"').append(name).append("Hex\":\"");
      line.append(HexFormat.of().formatHex(bytes)).append('"');
    }
  }

  /** As RFC 8259, section 7, wants it: a quote, a backslash and controls are escaped. */
  private static void quote(StringBuilder line, String text) {
    line.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"', '\\' -> line.append('\\').append(c);
        case '\n' -> line.append("\\n");
        case '\r' -> line.append("\\r");
        case '\t' -> line.append("\\t");
        default -> {
          if (c < ' ') {
            line.append("\\u00").append(HexFormat.of().toHexDigits((byte) c));
          } else {
            line.append(c);
          }
        }
      }
    }
    line.append('"');
  }
}
