package dev.upcall.httpd.message;

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

  /** No byte of the file is among those asked for. */
  record Unsatisfiable() implements ByteRange {}

  /**
   * Reads the field. One range of bytes is heeded; several, other units and what breaks the grammar
   * give the whole, as the RFC allows, so that nobody can make the server send the same bytes many
   * times for one request.
   */
  static ByteRange parse(String field, long sizeBytes) {
    String unit = "bytes=";
    if (!field.regionMatches(true, 0, unit, 0, unit.length())) {
      return WHOLE;
    }
    String range = onlyElement(field, unit.length());
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

  /** The one element of a list that is not empty (RFC 9110, section 5.6.1), or nothing. */
  private static String onlyElement(String list, int from) {
    String only = "";
    for (int at = from; at <= list.length(); ) {
      int comma = list.indexOf(',', at);
      int end = comma < 0 ? list.length() : comma;
      String element = list.substring(at, end).strip();
      if (!element.isEmpty() && !only.isEmpty()) {
        return "";
      }
      only = element.isEmpty() ? only : element;
      at = end + 1;
    }
    return only;
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
