package dev.upcall.cli.option;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Lines of columns that stand one below the other: those of numbers end together. */
public final class TextTable {
  private static final String GAP = "  ";

  private final int texts;
  private final List<List<String>> rows = new ArrayList<>();

  /**
   * A table.
   *
   * @param texts how many columns hold text, from the left; those behind hold numbers
   */
  public TextTable(int texts, String... titles) {
    this.texts = texts;
    rows.add(List.of(titles));
  }

  /** Adds a line. */
  public void row(Object... cells) {
    List<String> row = new ArrayList<>();
    for (Object cell : cells) {
      row.add(cell.toString());
    }
    rows.add(row);
  }

  /** Writes it; no more than its titles when there is no line. */
  public void print(PrintStream out) {
    int columns = rows.getFirst().size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int at = 0; at < columns; at++) {
        widths[at] = Math.max(widths[at], row.get(at).length());
      }
    }
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int at = 0; at < columns; at++) {
        String cell = row.get(at);
        String blank = " ".repeat(widths[at] - cell.length());
        line.append(at == 0 ? "" : GAP).append(at < texts ? cell + blank : blank + cell);
      }
      out.println(line.toString().stripTrailing());
    }
  }
}
