package dev.upcall.httpd;

import dev.upcall.fileman.FileInfo;

/** The preconditions of RFC 9110, section 13, for reading. */
final class Conditions {
  private static final long NANOS_IN_SECOND = 1_000_000_000L;

  private Conditions() {}

  /** Whether the client's copy is the present one, so that 304 answers. */
  static boolean notModified(Request request, FileInfo file) {
    String tags = request.ifNoneMatch();
    if (tags != null) {
      return matches(tags, file.entityTag());
    }
    String since = request.ifModifiedSince();
    if (since == null) {
      return false;
    }
    long seconds = HttpDate.parse(since);
    return seconds != HttpDate.NONE && modifiedSeconds(file) <= seconds;
  }

  /** The second of the last modification, as Last-Modified shows it. */
  static long modifiedSeconds(FileInfo file) {
    return Math.max(0, Math.floorDiv(file.times().modifiedNanos(), NANOS_IN_SECOND));
  }

  /**
   * Whether a list of entity tags holds one (weak comparison).
   *
   * @param list the header's value
   * @param tag without quotes
   */
  static boolean matches(String list, String tag) {
    for (int at = 0; at < list.length(); ) {
      char c = list.charAt(at);
      if (c == '*') {
        return true;
      }
      if (c != '"') {
        at++;
        continue;
      }
      int end = list.indexOf('"', at + 1);
      if (end < 0) {
        return false;
      }
      if (end - at - 1 == tag.length() && list.startsWith(tag, at + 1)) {
        return true;
      }
      at = end + 1;
    }
    return false;
  }
}
