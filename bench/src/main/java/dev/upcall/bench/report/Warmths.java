package dev.upcall.bench.report;

import dev.upcall.bench.harness.Numbers;
import dev.upcall.bench.harness.Warmth;
import java.util.Locale;
import java.util.Map;

/** How warm processes were when they were measured, as a table. */
public final class Warmths {
  private Warmths() {}

  /** The table. */
  public static Grid grid(Map<String, Warmth> warmths) {
    return Grid.of(
        "Warm-up on all cores, before",
        warmths.entrySet(),
        Grid.column("", one -> one.getKey()),
        Grid.column("seconds", one -> Numbers.show(one.getValue().seconds())),
        Grid.column("compiler, last round", one -> percent(one.getValue().compiling())),
        Grid.column("throughput, last rounds", one -> percent(one.getValue().drift())),
        Grid.column("steady", one -> one.getValue().steady() ? "yes" : "no: its time was over"));
  }

  /** A small part, as per cent. */
  public static String percent(double part) {
    return Double.isNaN(part) ? "-" : String.format(Locale.ROOT, "%.1f %%", part * 100);
  }
}
