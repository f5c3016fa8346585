package dev.upcall.httpd.message;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Refused;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of a PATCH, whole and in memory. What cannot be read is {@code Invalid}, which
 * says what was expected and where.
 */
public final class PatchBody {
  /** Things that one PATCH may do. */
  public static final int MAX_EDITS = 1024;

  private static final int MAX_LINE_BYTES = 1000;
  private static final int MAX_DIGITS = 18;
  private static final String BYTES = "bytes";

  private final byte[] body;
  private final List<PatchEdit> edits = new ArrayList<>();
  private int at;

  private PatchBody(byte[] body) {
    this.body = body;
  }

  /** Reads it. */
  public static Completion<List<PatchEdit>> parse(PatchType type, byte[] body) {
    return Refused.catching(
        () -> {
          PatchBody reading = new PatchBody(body);
          switch (type.format()) {
            case BYTE_RANGE -> reading.range(body.length);
            case BYTE_RANGES -> reading.ranges(type.boundary());
            case EDITS -> reading.edits();
          }
          if (reading.edits.isEmpty()) {
            throw wrong("the body changes nothing");
          }
          return List.copyOf(reading.edits);
        });
  }

  private static Refused wrong(String what) {
    return new Refused(new Failure.Invalid(what));
  }

  private void add(PatchEdit edit) {
    if (edits.size() == MAX_EDITS) {
      throw wrong("more than " + MAX_EDITS + " changes in one PATCH");
    }
    edits.add(edit);
  }

  // ------------------------------------------------------------------ ranges of bytes

  /** Header fields, an empty line, and the bytes up to an end. */
  private void range(int end) {
    String contentRange = null;
    String contentLength = null;
    for (String field = line(end); !field.isEmpty(); field = line(end)) {
      int colon = field.indexOf(':');
      if (colon < 1) {
        throw wrong("a part begins with header fields, and this is none: " + brief(field));
      }
      String value = field.substring(colon + 1).strip();
      switch (field.substring(0, colon).toLowerCase(Locale.ROOT)) {
        case "content-range" -> contentRange = once(contentRange, value);
        case "content-length" -> contentLength = once(contentLength, value);
        default -> {
          // Of the type of a part of a file nothing follows for the file.
        }
      }
    }
    if (contentRange == null) {
      throw wrong("a part without the field Content-Range");
    }
    byte[] bytes = Arrays.copyOfRange(body, at, end);
    at = end;
    if (contentLength != null && number(contentLength, "Content-Length") != bytes.length) {
      throw wrong("Content-Length %s over %d bytes".formatted(brief(contentLength), bytes.length));
    }
    add(overwrite(contentRange, bytes));
  }

  private static String once(@Nullable String before, String value) {
    if (before != null) {
      throw wrong("a part has the same field twice: " + brief(value));
    }
    return value;
  }

  /** {@code bytes first-last/length}, or {@code *} for the length. */
  private static PatchEdit overwrite(String contentRange, byte[] bytes) {
    int space = contentRange.indexOf(' ');
    int dash = contentRange.indexOf('-', space + 1);
    int slash = contentRange.indexOf('/', dash + 1);
    if (space < 0
        || dash < 0
        || slash < 0
        || !contentRange.substring(0, space).equalsIgnoreCase(BYTES)) {
      throw wrong("Content-Range is bytes FIRST-LAST/LENGTH: " + brief(contentRange));
    }
    long first = number(contentRange.substring(space + 1, dash), "Content-Range");
    long last = number(contentRange.substring(dash + 1, slash), "Content-Range");
    String length = contentRange.substring(slash + 1);
    if (last < first || last - first + 1 != bytes.length) {
      throw wrong("Content-Range %s over %d bytes".formatted(brief(contentRange), bytes.length));
    }
    if (!length.equals("*") && number(length, "Content-Range") <= last) {
      throw wrong("Content-Range ends behind its length: " + brief(contentRange));
    }
    return new PatchEdit.Overwrite(first, bytes);
  }

  private void ranges(String boundary) {
    byte[] delimiter = ("--" + boundary).getBytes(StandardCharsets.ISO_8859_1);
    at = find(delimiter, 0);
    boolean over = false;
    while (!over) {
      if (at < 0 || !isLineStart(at)) {
        throw wrong("no line with the boundary where one has to be");
      }
      at += delimiter.length;
      // What comes behind the last one is nobody's business, a line break included.
      over = at + 2 <= body.length && body[at] == '-' && body[at + 1] == '-';
      if (!over) {
        String rest = line(body.length).stripTrailing();
        if (!rest.isEmpty()) {
          throw wrong("bytes behind the boundary: " + brief(rest));
        }
        int next = next(delimiter);
        range(next < 0 ? -1 : endOfPart(next));
        at = next;
      }
    }
  }

  /** The next delimiter that begins a line. */
  private int next(byte[] delimiter) {
    int found = find(delimiter, at);
    while (found >= 0 && !isLineStart(found)) {
      found = find(delimiter, found + 1);
    }
    if (found < 0) {
      throw wrong("the last boundary is missing");
    }
    return found;
  }

  private boolean isLineStart(int position) {
    return position == 0 || body[position - 1] == '\n';
  }

  /** The line break in front of a boundary belongs to that. */
  private int endOfPart(int next) {
    int end = next - 1;
    if (end > at && body[end - 1] == '\r') {
      end--;
    }
    return Math.max(end, at);
  }

  private int find(byte[] what, int from) {
    for (int i = from; i <= body.length - what.length; i++) {
      if (Arrays.equals(body, i, i + what.length, what, 0, what.length)) {
        return i;
      }
    }
    return -1;
  }

  // ------------------------------------------------------------------ edits

  private void edits() {
    while (at < body.length) {
      String line = line(body.length);
      if (line.isEmpty()) {
        continue; // a line break behind bytes
      }
      String[] words = line.split(" ", -1);
      switch (words[0]) {
        case "insert" -> {
          count(words, 3, "insert OFFSET LENGTH");
          add(new PatchEdit.Splice(number(words[1], line), 0, bytes(words[2], line)));
        }
        case "splice" -> {
          count(words, 4, "splice OFFSET REMOVED LENGTH");
          add(
              new PatchEdit.Splice(
                  number(words[1], line), number(words[2], line), bytes(words[3], line)));
        }
        case "cut" -> {
          count(words, 3, "cut OFFSET REMOVED");
          add(new PatchEdit.Splice(number(words[1], line), number(words[2], line), new byte[0]));
        }
        case "overwrite" -> {
          count(words, 3, "overwrite OFFSET LENGTH");
          add(new PatchEdit.Overwrite(number(words[1], line), bytes(words[2], line)));
        }
        case "append" -> {
          count(words, 2, "append LENGTH");
          add(new PatchEdit.Append(bytes(words[1], line)));
        }
        default ->
            throw wrong(
                "a line says insert, cut, splice, overwrite or append, and not: " + brief(line));
      }
    }
  }

  private static void count(String[] words, int wanted, String form) {
    if (words.length != wanted) {
      throw wrong("the form is: " + form);
    }
  }

  /** The bytes behind a line. */
  private byte[] bytes(String length, String line) {
    long count = number(length, line);
    if (count > body.length - at) {
      throw wrong(
          "%d bytes follow a line that says there are more: %s"
              .formatted(body.length - at, brief(line)));
    }
    at += (int) count;
    return Arrays.copyOfRange(body, at - (int) count, at);
  }

  // ------------------------------------------------------------------ lines and numbers

  /** The next line, without its break, which must come before an end. */
  private String line(int end) {
    for (int i = at; i < end && i - at <= MAX_LINE_BYTES; i++) {
      if (body[i] == '\n') {
        int last = i > at && body[i - 1] == '\r' ? i - 1 : i;
        String line = new String(body, at, last - at, StandardCharsets.ISO_8859_1);
        at = i + 1;
        return line;
      }
    }
    throw wrong("a line that does not end, or not soon, at byte " + at + " of the body");
  }

  private static long number(String digits, String where) {
    if (digits.isEmpty()
        || digits.length() > MAX_DIGITS
        || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw wrong(brief(digits) + " is no number of at most 18 digits: " + brief(where));
    }
    return Long.parseLong(digits);
  }

  /** For messages: no control bytes, and not long. */
  private static String brief(String text) {
    StringBuilder brief = new StringBuilder("'");
    for (int i = 0; i < Math.min(text.length(), 60); i++) {
      char c = text.charAt(i);
      brief.append(c < ' ' || c > '~' ? '?' : c);
    }
    return brief.append(text.length() > 60 ? "...'" : "'").toString();
  }
}
