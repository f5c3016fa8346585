package dev.upcall.bench.report;

import dev.upcall.specweb.document.Plot;
import java.util.List;

/**
 * Lines that are neither throughput nor response time.
 *
 * @param id short and unique, for programs
 * @param title above it
 * @param x what rises
 * @param y what was found
 * @param lines one for each side
 */
public record Chart(String id, String title, Plot.Scale x, Plot.Scale y, List<Plot.Series> lines) {
  /** Copies the list. */
  public Chart {
    lines = List.copyOf(lines);
  }
}
