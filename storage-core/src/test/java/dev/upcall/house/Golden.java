package dev.upcall.house;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Objects;

/**
 * Fixes what a structure looks like on disk: a readable dump under {@code
 * src/test/resources/golden}, lines of zeros left out. A test that fails leaves what it got under
 * {@code target/golden}; take it over only together with a new format version.
 */
public final class Golden {
  private static final int LINE_BYTES = 32;

  private Golden() {}

  /** Compares bytes with the golden file of that name. */
  public static void check(String name, byte[] bytes) {
    compare(name + ".hex", dump(bytes), "the form on disk of " + name + " has changed");
  }

  /** Compares a text that others read, a page say, with the golden file of that full name. */
  public static void checkText(String name, String text) {
    compare(name, text, "the form of " + name + " has changed");
  }

  /** The bytes that a golden file has, of an older version say. */
  public static byte[] bytes(String name) {
    try (InputStream in = Golden.class.getResourceAsStream("/golden/" + name + ".hex")) {
      String dump = new String(Objects.requireNonNull(in, name).readAllBytes(), UTF_8);
      String[] lines = dump.split("\n", -1);
      byte[] bytes = new byte[Integer.parseInt(lines[lines.length - 2].replace("bytes: ", ""))];
      for (int line = 0; line < lines.length - 2; line++) {
        String[] at = lines[line].split(": ", -1);
        byte[] some = HexFormat.of().parseHex(at[1]);
        System.arraycopy(some, 0, bytes, HexFormat.fromHexDigits(at[0]), some.length);
      }
      return bytes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void compare(String name, String actual, String otherwise) {
    String expected = "";
    try (InputStream in = Golden.class.getResourceAsStream("/golden/" + name)) {
      if (in != null) {
        expected = new String(in.readAllBytes(), UTF_8);
      }
      if (!expected.equals(actual)) {
        Path folder = Files.createDirectories(Path.of("target", "golden"));
        Files.writeString(folder.resolve(name), actual);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    assertEquals(expected, actual, otherwise);
  }

  private static String dump(byte[] bytes) {
    StringBuilder out = new StringBuilder();
    HexFormat hex = HexFormat.of();
    for (int at = 0; at < bytes.length; at += LINE_BYTES) {
      int end = Math.min(bytes.length, at + LINE_BYTES);
      boolean zeros = true;
      for (int i = at; i < end; i++) {
        zeros &= bytes[i] == 0;
      }
      if (!zeros) {
        out.append(hex.toHexDigits(at, 4)).append(": ");
        out.append(hex.formatHex(bytes, at, end)).append('\n');
      }
    }
    return out.append("bytes: ").append(bytes.length).append('\n').toString();
  }
}
