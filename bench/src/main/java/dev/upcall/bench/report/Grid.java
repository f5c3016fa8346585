package dev.upcall.bench.report;

import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

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

  /** A head, and the cell below it for each thing that has a row. */
  public record Column<T>(String head, Function<T, String> cell) {}

  /** A column of {@link #of}. */
  public static <T> Column<T> column(String head, Function<T, String> cell) {
    return new Column<>(head, cell);
  }

  /** A row for each of some things. */
  @SafeVarargs
  @SuppressWarnings("varargs") // they are only read
  public static <T> Grid of(String title, Collection<T> things, Column<T>... columns) {
    return of(title, things, List.of(columns));
  }

  /** A row for each of some things. */
  public static <T> Grid of(String title, Collection<T> things, List<Column<T>> columns) {
    return new Grid(
        title,
        columns.stream().map(Column::head).toList(),
        things.stream()
            .map(thing -> columns.stream().map(column -> column.cell.apply(thing)).toList())
            .toList());
  }

  /** Some columns before others. */
  public static <T> List<Column<T>> columns(Column<T> first, Stream<Column<T>> others) {
    return Stream.concat(Stream.of(first), others).toList();
  }
}
