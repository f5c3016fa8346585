package dev.upcall.base;

import java.util.Objects;

/**
 * Texts of others, such as names of files, for a person: on one line, and so that two of them that
 * differ look different. Listings, commands, logs and error messages show them so; what is meant
 * for programs has them as they are.
 *
 * <p>Escaped is what a terminal would obey, what turns the direction of the text, and what nobody
 * sees: controls, format characters, separators of lines and paragraphs, blanks other than the
 * space and the ideographic space, letters and marks without a shape, and what is no character at
 * all. It is shown as in Java and C: {@code \n}, {@code \x1b}, <code>&#92;u{202e}</code>. A
 * backslash is shown as two, so that nothing looks like an escape but an escape.
 */
public final class Printable {
  private static final int IDEOGRAPHIC_SPACE = 0x3000;
  private static final int FIRST_OF_TWO_BYTES = 0x100;

  private Printable() {}

  /** The text on one line; itself when nothing in it has to be escaped. */
  public static String of(String text) {
    Objects.requireNonNull(text, "text");
    for (int at = 0; at < text.length(); at += Character.charCount(text.codePointAt(at))) {
      if (isEscaped(text.codePointAt(at))) {
        return escaped(text, at);
      }
    }
    return text;
  }

  private static String escaped(String text, int begin) {
    StringBuilder shown = new StringBuilder(text.length() + 16).append(text, 0, begin);
    text.codePoints()
        .skip(text.codePointCount(0, begin))
        .forEach(
            point -> {
              if (isEscaped(point)) {
                escape(shown, point);
              } else {
                shown.appendCodePoint(point);
              }
            });
    return shown.toString();
  }

  private static void escape(StringBuilder shown, int point) {
    switch (point) {
      case '\\' -> shown.append("\\\\");
      case '\n' -> shown.append("\\n");
      case '\t' -> shown.append("\\t");
      case '\r' -> shown.append("\\r");
      default ->
          shown.append(
              point < FIRST_OF_TWO_BYTES
                  ? String.format("\\x%02x", point)
                  : String.format("\\u{%x}", point));
    }
  }

  private static boolean isEscaped(int point) {
    if (point >= ' ' && point < 0x7f) {
      return point == '\\';
    }
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE,
          Character.UNASSIGNED ->
          true;
      case Character.SPACE_SEPARATOR -> point != IDEOGRAPHIC_SPACE;
      default -> isBlank(point);
    };
  }

  /** Letters, marks and signs that Unicode gives no shape; not told by their category. */
  private static boolean isBlank(int point) {
    return switch (point) {
      // The joiner of graphemes, fillers of Hangul, vowels of Khmer that are not shown, the empty
      // Braille pattern, a null note, a filler of Khitan.
      case 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, 0x1D159, 0x16FE4 -> true;
      // Selectors of variants: of Mongolian, and of all else.
      default ->
          (point >= 0x180B && point <= 0x180F)
              || (point >= 0xFE00 && point <= 0xFE0F)
              || (point >= 0xE0000 && point <= 0xE0FFF);
    };
  }
}
