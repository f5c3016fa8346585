package dev.upcall.bench.ecommerce;

import java.util.ArrayList;
import java.util.List;

/** Steps as they are written down; a page twice in a row is one step. */
final class Script {
  private final List<Step> steps = new ArrayList<>();

  /** A row by its key: the leaf of the index, then its page. */
  Script read(Table table, long row) {
    return readRows(table, row, 1);
  }

  /** The same, and the row is another one afterwards. */
  Script change(Table table, long row) {
    return changeRows(table, row, 1);
  }

  /** A row goes, and its key with it. */
  Script remove(Table table, long row) {
    return step(Step.Kind.CHANGE, table.leaf(row)).step(Step.Kind.CHANGE, table.page(row));
  }

  /** Rows that lie together, found by one key. */
  Script readRows(Table table, long first, long rows) {
    long last = Math.min(first + rows - 1, table.rows() - 1);
    long page = table.page(first);
    step(Step.Kind.READ, table.leaf(first));
    return run(Step.Kind.READ, page, (int) (table.lastPage(last) - page + 1));
  }

  /** The same, and all are others afterwards. */
  Script changeRows(Table table, long first, long rows) {
    long last = Math.min(first + rows - 1, table.rows() - 1);
    long page = table.page(first);
    step(Step.Kind.READ, table.leaf(first));
    return run(Step.Kind.CHANGE, page, (int) (table.lastPage(last) - page + 1));
  }

  /** A scan of pages of rows without an index. */
  Script scan(Table table, long offset, int pages) {
    return run(Step.Kind.READ, table.firstPage() + offset, pages);
  }

  /** One more row at the table's end. */
  Script append(Table table) {
    long row = table.append();
    long page = table.page(row);
    return run(Step.Kind.APPEND, page, (int) (table.lastPage(row) - page + 1))
        .step(Step.Kind.APPEND, table.leaf(row));
  }

  /** A leaf of the index alone. */
  Script readLeaf(Table table, long row) {
    return step(Step.Kind.READ, table.leaf(row));
  }

  List<Step> steps() {
    return List.copyOf(steps);
  }

  private Script step(Step.Kind kind, long page) {
    return run(kind, page, 1);
  }

  private Script run(Step.Kind kind, long page, int pages) {
    Step step = new Step(kind, page, pages);
    if (steps.isEmpty() || !steps.getLast().equals(step)) {
      steps.add(step);
    }
    return this;
  }
}
