package dev.upcall.base;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The words of a line in a file of rules: blanks stand between them, a word with blanks in it
 * stands between double quotes, with a backslash before a quote or backslash, and {@code #} begins
 * a comment.
 */
public final class LineWords {
  private LineWords() {}

  /**
   * Cuts a line into its words. A quote begins a word only.
   *
   * @throws IllegalArgumentException with the reason, for a quote that is not closed, and for what
   *     stands right behind one
   */
  public static List<String> of(String line) {
    Objects.requireNonNull(line, "line");
    List<String> words = new ArrayList<>();
    int at = 0;
    while (at < line.length()) {
      char c = line.charAt(at);
      if (c == '#') {
        return words;
      } else if (c == ' ' || c == '\t') {
        at++;
      } else if (c == '"') {
        at = quoted(line, at + 1, words);
      } else {
        int end = at;
        while (end < line.length() && line.charAt(end) != ' ' && line.charAt(end) != '\t') {
          end++;
        }
        words.add(line.substring(at, end));
        at = end;
      }
    }
    return words;
  }

  private static int quoted(String text, int from, List<String> words) {
    StringBuilder word = new StringBuilder();
    for (int at = from; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '"') {
        words.add(word.toString());
        if (at + 1 < text.length() && text.charAt(at + 1) != ' ' && text.charAt(at + 1) != '\t') {
          throw new IllegalArgumentException("a blank has to follow a closing quote");
        }
        return at + 1;
      }
      if (c == '\\') {
        at++;
        if (at == text.length() || (text.charAt(at) != '"' && text.charAt(at) != '\\')) {
          throw new IllegalArgumentException(
              "a backslash stands before a quote or another backslash only");
        }
        c = text.charAt(at);
      }
      word.append(c);
    }
    throw new IllegalArgumentException("a quote is not closed");
  }
}
