package dev.upcall.cli.posix;

import java.util.regex.Pattern;

/**
 * A pattern of the shell for one name: {@code *} is any text, {@code ?} any character, {@code
 * [a-z]} one of some and {@code [!a-z]} one of the others; a backslash takes its meaning from what
 * follows.
 */
final class NameGlob {
  private NameGlob() {}

  /** The same as a regular expression for the whole name. */
  static Pattern pattern(String glob, boolean anyCase) {
    StringBuilder regex = new StringBuilder();
    int at = 0;
    while (at < glob.length()) {
      char c = glob.charAt(at++);
      switch (c) {
        case '*' -> regex.append(".*");
        case '?' -> regex.append('.');
        case '[' -> {
          int end = endOfSet(glob, at);
          if (end < 0) {
            regex.append("\\[");
          } else {
            appendSet(regex, glob.substring(at, end));
            at = end + 1;
          }
        }
        case '\\' -> {
          int next = at < glob.length() ? glob.codePointAt(at) : c;
          regex.append(Pattern.quote(Character.toString(next)));
          at = Math.min(glob.length(), at + Character.charCount(next));
        }
        default -> regex.append(Pattern.quote(String.valueOf(c)));
      }
    }
    int flags = Pattern.DOTALL;
    return Pattern.compile(
        regex.toString(),
        anyCase ? flags | Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE : flags);
  }

  /**
   * Where the bracket is that closes a set, or -1: then the one that opens it stands for itself.
   */
  private static int endOfSet(String glob, int from) {
    int at = from;
    if (at < glob.length() && (glob.charAt(at) == '!' || glob.charAt(at) == '^')) {
      at++;
    }
    // The first one stands for itself.
    return glob.indexOf(']', at + 1);
  }

  private static void appendSet(StringBuilder regex, String set) {
    boolean others = set.startsWith("!") || set.startsWith("^");
    regex.append(others ? "[^" : "[");
    set.substring(others ? 1 : 0)
        .chars()
        .forEach(
            c -> {
              if (c != '-' && c < 128 && !Character.isLetterOrDigit(c)) {
                regex.append('\\');
              }
              regex.append((char) c);
            });
    regex.append(']');
  }
}
