package dev.upcall.httpd.message;

import java.util.ArrayList;
import java.util.List;

/**
 * Lists of entity tags as conditions name them (RFC 9110, sections 8.8.3 and 13.1). All tags of
 * this server are strong ones.
 */
final class EntityTags {
  private EntityTags() {}

  /**
   * Whether a list names a version, where a weak tag will do: for what is only read.
   *
   * @param list the field's value
   * @param tag without quotes
   */
  static boolean weaklyMatch(String list, String tag) {
    return matches(list, tag, true);
  }

  /** Whether a list names a version byte for byte; see {@link #weaklyMatch}. */
  static boolean stronglyMatch(String list, String tag) {
    return matches(list, tag, false);
  }

  /** Whether a field that holds one tag and no list names a version byte for byte. */
  static boolean isStrong(String field, String tag) {
    return field.strip().equals('"' + tag + '"');
  }

  private static boolean matches(String list, String tag, boolean weak) {
    return isAny(list) || parse(list, weak).contains(tag);
  }

  /** Whether the field says that any version will do. */
  static boolean isAny(String list) {
    return list.strip().equals("*");
  }

  /**
   * The tags of a list, without quotes, up to its first fault.
   *
   * @param weak whether weak ones count
   */
  static List<String> parse(String list, boolean weak) {
    List<String> tags = new ArrayList<>();
    int at = 0;
    while (at < list.length()) {
      char c = list.charAt(at);
      if (c == ' ' || c == '\t' || c == ',') {
        at++;
        continue;
      }
      boolean weakTag = list.startsWith("W/", at);
      int quote = weakTag ? at + 2 : at;
      int end = list.startsWith("\"", quote) ? list.indexOf('"', quote + 1) : -1;
      if (end < 0) {
        return tags;
      }
      if (weak || !weakTag) {
        tags.add(list.substring(quote + 1, end));
      }
      at = end + 1;
    }
    return tags;
  }
}
