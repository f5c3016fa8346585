package dev.upcall.bench.report;

import java.util.List;

/**
 * A small table.
 *
 * @param title above it
 * @param columns heads, the first of the names of rows
 * @param rows cells as they are shown
 */
public record Grid(String title, List<String> columns, List<List<String>> rows) {
  /** Copies the lists, and checks that rows are as long as the head. */
  public Grid {
    columns = List.copyOf(columns);
    rows = rows.stream().map(List::copyOf).toList();
    for (List<String> row : rows) {
      if (row.size() != columns.size()) {
        throw new IllegalArgumentException(row.size() + " cells under " + columns.size());
      }
    }
  }
}
