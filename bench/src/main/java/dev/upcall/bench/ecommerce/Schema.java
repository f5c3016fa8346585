package dev.upcall.bench.ecommerce;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Lays tables one behind the other. Tables of fewer than a thousand rows have them at every scale.
 */
final class Schema {
  private static final long FEW_ROWS = 1000;

  private final double scale;
  private final List<Table> tables = new ArrayList<>();
  private final List<Table> all = Collections.unmodifiableList(tables);

  Schema(double scale) {
    this.scale = scale;
  }

  /** One more table of so many rows in the paper. */
  Table table(String name, long paperRows, double rowBytes) {
    long rows =
        paperRows < FEW_ROWS ? paperRows : Math.max(FEW_ROWS, Math.round(paperRows * scale));
    long first = tables.isEmpty() ? 0 : tables.getLast().endPage();
    Table table = new Table(name, rows, rowBytes, first);
    tables.add(table);
    return table;
  }

  List<Table> tables() {
    return all;
  }
}
