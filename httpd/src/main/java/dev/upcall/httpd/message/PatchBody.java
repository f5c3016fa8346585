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
 * Reads the body of a PATCH, whole and in memory, a bounded piece at a time. What cannot be read is
 * {@code Invalid}, which says what was expected and where.
 */
public final class PatchBody {
  /** Things that one PATCH may do. */
  public static final int MAX_EDITS = 1024;

  /** What one piece may cost: a byte that is looked at, or copied, costs 1. */
  static final int PIECE_COST = 32 << 10;

  /** What a line costs, and a place where the boundary might be. */
  private static final int LINE_COST = 256;

  private static final int CANDIDATE_COST = 16;

  private static final int MAX_LINE_BYTES = 1000;
  private static final int MAX_DIGITS = 18;
  private static final String BYTES = "bytes";

  /** Results of a search: the piece ended before it, or there is none. */
  private static final int NOT_YET = -2;

  private static final int NONE = -1;

  private final byte[] body;
  private final int length;
  private final byte[] delimiter;
  private final List<PatchEdit> edits = new ArrayList<>();
  private Place place;
  private int at;
  private int left;

  /** Where the search for the next boundary goes on. */
  private int searched;

  /** The boundary behind the present part, and that part's end. */
  private int next;

  private int end;
  private @Nullable String contentRange;
  private @Nullable String contentLength;

  /** Where reading stands. */
  private enum Place {
    /** Before the first boundary. */
    PREAMBLE,
    /** At the beginning of a part, whose end is being looked for. */
    PART,
    /** In the header fields of a part. */
    FIELDS,
    /** At a line that says what is done. */
    LINE,
    /** All has been read. */
    END
  }

  /**
   * Begins to read.
   *
   * @param body is not changed by anybody any more
   * @param length how many bytes of it came
   */
  public PatchBody(PatchType type, byte[] body, int length) {
    this.body = body;
    this.length = length;
    this.end = length;
    this.delimiter = ("--" + type.boundary()).getBytes(StandardCharsets.ISO_8859_1);
    this.place =
        switch (type.format()) {
          case BYTE_RANGE -> Place.FIELDS;
          case BYTE_RANGES -> Place.PREAMBLE;
          case EDITS -> Place.LINE;
        };
    this.next = NONE;
  }

  /** Reads a whole body at once. */
  public static Completion<List<PatchEdit>> parse(PatchType type, byte[] body) {
    PatchBody reading = new PatchBody(type, body, body.length);
    Completion<List<PatchEdit>> read = reading.readPiece();
    while (read == null) {
      read = reading.readPiece();
    }
    return read;
  }

  /** Reads a piece; what it says, or null when there is more to be read. */
  public @Nullable Completion<List<PatchEdit>> readPiece() {
    left = PIECE_COST;
    Completion<Boolean> over = Refused.catching(this::read);
    return switch (over) {
      case Completion.Failed<Boolean> failed -> failed.cast();
      case Completion.Done<Boolean>(Boolean all) ->
          all ? Completion.done(List.copyOf(edits)) : null;
    };
  }

  private boolean read() {
    while (left > 0 && place != Place.END) {
      switch (place) {
        case PREAMBLE -> preamble();
        case PART -> part();
        case FIELDS -> field();
        case LINE -> edit();
        case END -> {}
      }
    }
    if (place == Place.END && edits.isEmpty()) {
      throw wrong("the body changes nothing");
    }
    return place == Place.END;
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
  private void field() {
    String field = line(end);
    if (field.isEmpty()) {
      content();
      return;
    }
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

  private void content() {
    String range = contentRange;
    if (range == null) {
      throw wrong("a part without the field Content-Range");
    }
    byte[] bytes = Arrays.copyOfRange(body, at, end);
    left -= bytes.length;
    String said = contentLength;
    if (said != null && number(said, "Content-Length") != bytes.length) {
      throw wrong("Content-Length %s over %d bytes".formatted(brief(said), bytes.length));
    }
    add(overwrite(range, bytes));
    if (next == NONE) {
      place = Place.END;
    } else {
      boundary(next);
    }
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

  private void preamble() {
    int found = search();
    if (found != NOT_YET) {
      boundary(found);
    }
  }

  private void boundary(int found) {
    if (found == NONE || !isLineStart(found)) {
      throw wrong("no line with the boundary where one has to be");
    }
    at = found + delimiter.length;
    // What comes behind the last one is nobody's business, a line break included.
    if (at + 2 <= length && body[at] == '-' && body[at + 1] == '-') {
      place = Place.END;
      return;
    }
    String rest = line(length).stripTrailing();
    if (!rest.isEmpty()) {
      throw wrong("bytes behind the boundary: " + brief(rest));
    }
    contentRange = null;
    contentLength = null;
    searched = at;
    place = Place.PART;
  }

  /** The part ends at the next delimiter that begins a line. */
  private void part() {
    int found = search();
    if (found == NONE) {
      throw wrong("the last boundary is missing");
    }
    if (found == NOT_YET) {
      return;
    }
    if (isLineStart(found)) {
      next = found;
      end = endOfPart(found);
      place = Place.FIELDS;
    } else {
      searched = found + 1;
    }
  }

  private boolean isLineStart(int position) {
    return position == 0 || body[position - 1] == '\n';
  }

  /** The line break in front of a boundary belongs to that. */
  private int endOfPart(int boundary) {
    int last = boundary - 1;
    if (last > at && body[last - 1] == '\r') {
      last--;
    }
    return Math.max(last, at);
  }

  /** The next delimiter from {@link #searched} on, which moves up to it. */
  private int search() {
    int last = length - delimiter.length;
    while (left > 0) {
      int from = searched;
      int until = Math.min(last + 1, from + left);
      while (searched < until && body[searched] != '-') {
        searched++;
      }
      left -= searched - from;
      if (searched > last) {
        return NONE;
      }
      if (searched < until) {
        left -= CANDIDATE_COST;
        if (Arrays.equals(
            body, searched, searched + delimiter.length, delimiter, 0, delimiter.length)) {
          return searched;
        }
        searched++;
      }
    }
    return NOT_YET;
  }

  // ------------------------------------------------------------------ edits

  private void edit() {
    if (at == length) {
      place = Place.END;
      return;
    }
    String line = line(length);
    if (line.isEmpty()) {
      return; // a line break behind bytes
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

  private static void count(String[] words, int wanted, String form) {
    if (words.length != wanted) {
      throw wrong("the form is: " + form);
    }
  }

  /** The bytes behind a line. */
  private byte[] bytes(String digits, String line) {
    long count = number(digits, line);
    if (count > length - at) {
      throw wrong(
          "%d bytes follow a line that says there are more: %s"
              .formatted(length - at, brief(line)));
    }
    at += (int) count;
    left -= (int) count;
    return Arrays.copyOfRange(body, at - (int) count, at);
  }

  // ------------------------------------------------------------------ lines and numbers

  /** The next line, without its break, which must come before an end. */
  private String line(int limit) {
    left -= LINE_COST;
    for (int i = at; i < limit && i - at <= MAX_LINE_BYTES; i++) {
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
