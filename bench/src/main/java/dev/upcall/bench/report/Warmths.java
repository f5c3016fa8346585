package dev.upcall.bench.report;

import dev.upcall.bench.harness.Numbers;
import dev.upcall.bench.harness.Warmth;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** How warm processes were when they were measured, as a table. */
public final class Warmths {
  private Warmths() {}

  /** The table. */
  public static Grid grid(Map<String, Warmth> warmths) {
    List<List<String>> rows = new ArrayList<>();
    warmths.forEach(
        (name, warmth) ->
            rows.add(
                List.of(
                    name,
                    Numbers.show(warmth.seconds()),
                    percent(warmth.compiling()),
                    percent(warmth.drift()),
                    warmth.steady() ? "yes" : "no: its time was over")));
    return new Grid(
        "Warm-up on all cores, before",
        List.of("", "seconds", "compiler, last round", "throughput, last rounds", "steady"),
        rows);
  }

  /** A small part, as per cent. */
  public static String percent(double part) {
    return Double.isNaN(part) ? "-" : String.format(Locale.ROOT, "%.1f %%", part * 100);
  }
}
