package dev.upcall.specweb.document;

import java.util.Arrays;
import java.util.Locale;

/**
 * HTML or SVG as it grows. What is put into a format is escaped unless it is a number or markup
 * itself, so that no text is taken for markup by an oversight.
 */
public final class Markup {
  private final StringBuilder markup = new StringBuilder();

  Markup() {}

  /**
   * A piece.
   *
   * @param format of {@link String#format}; its own letters are markup
   * @param arguments texts, numbers and other pieces
   */
  public static Markup of(String format, Object... arguments) {
    return new Markup().add(format, arguments);
  }

  /** What has been written as markup, unchanged. */
  static Markup raw(String markup) {
    Markup piece = new Markup();
    piece.markup.append(markup);
    return piece;
  }

  Markup add(String format, Object... arguments) {
    Object[] safe = Arrays.stream(arguments).map(Markup::safe).toArray();
    markup.append(String.format(Locale.ROOT, format, safe));
    return this;
  }

  Markup line(String format, Object... arguments) {
    add(format, arguments);
    markup.append('\n');
    return this;
  }

  private static Object safe(Object argument) {
    return argument instanceof Number || argument instanceof Markup
        ? argument
        : escape(argument.toString());
  }

  /** Text as it may stand in a page or an attribute. */
  private static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  /** As it stands in a document. */
  @Override
  public String toString() {
    return markup.toString();
  }
}
