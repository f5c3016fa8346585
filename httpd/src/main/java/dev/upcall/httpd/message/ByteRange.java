package dev.upcall.httpd.message;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What a Range field asks of a file of a certain size (RFC 9110, section 14). */
public sealed interface ByteRange {
  /** The answer to whoever asks for no range, or for one that this server need not heed. */
  ByteRange WHOLE = new Whole();

  /** All bytes. */
  record Whole() implements ByteRange {}

  /**
   * Some bytes, all inside the file.
   *
   * @param firstByte where they begin
   * @param lengthBytes how many; at least one
   */
  record Part(long firstByte, long lengthBytes) implements ByteRange {}

  /**
   * Several parts, in the order in which they were asked for. None has a byte that another has.
   *
   * @param parts at least two
   */
  record Parts(List<Part> parts) implements ByteRange {}

  /** No byte of the file is among those asked for. */
  record Unsatisfiable() implements ByteRange {}

  /** The most ranges of one field; more of them give the whole. */
  int MAX_RANGES = 16;

  /**
   * Reads the field. Other units, what breaks the grammar, too many ranges and ranges that overlap
   * give the whole, as the RFC allows, so that nobody can make the server send the same bytes many
   * times for one request. Of several ranges those count that the file has bytes of.
   */
  static ByteRange parse(String field, long sizeBytes) {
    String unit = "bytes=";
    if (!field.regionMatches(true, 0, unit, 0, unit.length())) {
      return WHOLE;
    }
    ByteRange found = null;
    List<Part> parts = null;
    int ranges = 0;
    for (int at = unit.length(); at <= field.length(); ) {
      int comma = field.indexOf(',', at);
      int end = comma < 0 ? field.length() : comma;
      String range = field.substring(at, end).strip();
      at = end + 1;
      if (range.isEmpty()) {
        continue; // RFC 9110, section 5.6.1: empty elements do not count
      }
      ByteRange one = one(range, sizeBytes);
      if (++ranges > MAX_RANGES || one instanceof Whole) {
        return WHOLE;
      }
      if (found instanceof Part before && one instanceof Part next) {
        parts = parts == null ? new ArrayList<>(List.of(before)) : parts;
        parts.add(next);
      } else if (!(found instanceof Part)) {
        found = one;
      }
    }
    if (parts != null) {
      return overlap(parts) ? WHOLE : new Parts(List.copyOf(parts));
    }
    return found == null ? WHOLE : found;
  }

  private static boolean overlap(List<Part> parts) {
    List<Part> sorted = new ArrayList<>(parts);
    sorted.sort(Comparator.comparingLong(Part::firstByte));
    long end = 0;
    for (Part each : sorted) {
      if (each.firstByte() < end) {
        return true;
      }
      end = each.firstByte() + each.lengthBytes();
    }
    return false;
  }

  private static ByteRange one(String range, long sizeBytes) {
    int dash = range.indexOf('-');
    if (dash < 0 || !digits(range, 0, dash) || !digits(range, dash + 1, range.length())) {
      return WHOLE;
    }
    long first = number(range, 0, dash);
    long last = number(range, dash + 1, range.length());
    if (dash == 0) {
      return range.length() == 1 ? WHOLE : suffix(last, sizeBytes);
    }
    boolean open = dash == range.length() - 1;
    if (!open && last < first) {
      return WHOLE;
    }
    if (first >= sizeBytes) {
      return new Unsatisfiable();
    }
    long end = open ? sizeBytes - 1 : Math.min(last, sizeBytes - 1);
    return new Part(first, end - first + 1);
  }

  /** The last bytes; of an empty file there are none, which the whole says best. */
  private static ByteRange suffix(long bytes, long sizeBytes) {
    if (bytes == 0) {
      return new Unsatisfiable();
    }
    long length = Math.min(bytes, sizeBytes);
    return length == 0 ? WHOLE : new Part(sizeBytes - length, length);
  }

  private static boolean digits(String text, int from, int to) {
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        return false;
      }
    }
    return true;
  }

  /** A number, or the largest one instead of a larger one. */
  private static long number(String digits, int from, int to) {
    long value = 0;
    for (int i = from; i < to; i++) {
      int digit = digits.charAt(i) - '0';
      if (value > (Long.MAX_VALUE - digit) / 10) {
        return Long.MAX_VALUE;
      }
      value = value * 10 + digit;
    }
    return value;
  }
}
