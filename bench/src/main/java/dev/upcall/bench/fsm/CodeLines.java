package dev.upcall.bench.fsm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Counts lines of Java that have something besides blanks and comments. What stands in a literal is
 * no comment.
 */
final class CodeLines {
  private enum In {
    CODE,
    LINE_COMMENT,
    BLOCK_COMMENT,
    TEXT,
    TEXT_BLOCK,
    CHARACTER
  }

  private final String source;
  private In in = In.CODE;
  private boolean hasCode;
  private int lines;

  private CodeLines(String source) {
    this.source = source;
  }

  /** Of a file. */
  static int of(Path file) throws IOException {
    return of(Files.readString(file));
  }

  /** Of a text. */
  static int of(String source) {
    CodeLines counter = new CodeLines(source);
    for (int i = 0; i < source.length(); ) {
      i += counter.take(i);
    }
    counter.endLine();
    return counter.lines;
  }

  /** Goes over what begins here; how many characters that is. */
  private int take(int at) {
    char c = source.charAt(at);
    if (c == '\n') {
      endLine();
      return 1;
    }
    return switch (in) {
      case CODE -> takeCode(at, c);
      case LINE_COMMENT -> 1;
      case BLOCK_COMMENT -> endsWith(at, "*/") ? leave(2) : 1;
      case TEXT -> takeLiteral(at, c, "\"");
      case TEXT_BLOCK -> takeLiteral(at, c, "\"\"\"");
      case CHARACTER -> takeLiteral(at, c, "'");
    };
  }

  private int takeCode(int at, char c) {
    if (endsWith(at, "//")) {
      return enter(In.LINE_COMMENT, 2);
    }
    if (endsWith(at, "/*")) {
      return enter(In.BLOCK_COMMENT, 2);
    }
    hasCode |= !Character.isWhitespace(c);
    if (endsWith(at, "\"\"\"")) {
      return enter(In.TEXT_BLOCK, 3);
    }
    return switch (c) {
      case '"' -> enter(In.TEXT, 1);
      case '\'' -> enter(In.CHARACTER, 1);
      default -> 1;
    };
  }

  private int takeLiteral(int at, char c, String end) {
    hasCode |= !Character.isWhitespace(c);
    if (c == '\\') {
      return 2;
    }
    return endsWith(at, end) ? leave(end.length()) : 1;
  }

  private boolean endsWith(int at, String mark) {
    return source.startsWith(mark, at);
  }

  private int enter(In other, int length) {
    in = other;
    return length;
  }

  private int leave(int length) {
    return enter(In.CODE, length);
  }

  private void endLine() {
    lines += hasCode ? 1 : 0;
    hasCode = false;
    if (in == In.LINE_COMMENT) {
      in = In.CODE;
    }
  }
}
