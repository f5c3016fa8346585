package dev.upcall.specweb.cli;

import dev.upcall.specweb.load.LoadPoint;
import dev.upcall.specweb.load.Mode;
import dev.upcall.specweb.run.PointResult;
import dev.upcall.specweb.run.Rules;
import java.io.PrintWriter;
import java.util.Locale;

/** Load points as lines of a terminal, each as soon as it is measured. */
final class PointTable {
  private static final String HEAD =
      "%9s %9s %8s %8s %8s %8s %9s %6s %7s %7s  %s%n"
          .formatted(
              "load",
              "ops/s",
              "mean ms",
              "p50 ms",
              "p99 ms",
              "p99.9 ms",
              "max ms",
              "MB/s",
              "Little",
              "CPU us",
              "");

  private final PrintWriter out;
  private final Rules rules;
  private boolean begun;

  PointTable(PrintWriter out, Rules rules) {
    this.out = out;
    this.rules = rules;
  }

  void print(PointResult result) {
    if (!begun) {
      begun = true;
      out.print(HEAD);
    }
    var reading = result.reading();
    out.printf(
        Locale.ROOT,
        "%9s %9.1f %8.2f %8.2f %8.2f %8.2f %9.2f %6.1f %6.1f%% %7.1f  %s%n",
        load(result.point()),
        reading.opsPerSecond(),
        reading.operations().meanMillis(),
        reading.percentileMillis(50),
        reading.percentileMillis(99),
        reading.percentileMillis(99.9),
        reading.maxMillis(),
        reading.operations().bytes() / reading.flow().windowSeconds() / 1e6,
        reading.flow().littleResidual() * 100,
        result.cost().generatorSeconds() * 1e6 / Math.max(1, reading.operations().count()),
        verdict(result));
    out.flush();
  }

  private static String load(LoadPoint point) {
    return point.mode() == Mode.CLOSED
        ? point.workers() + " cl"
        : String.format(Locale.ROOT, "%.1f", point.opsPerSecond());
  }

  private String verdict(PointResult result) {
    StringBuilder words = new StringBuilder();
    if (!result.isWhole()) {
      words.append("cut short ");
    }
    if (result.isSaturated()) {
      words.append("saturated ");
    }
    if (!result.isSteady()) {
      words.append("not steady ");
    }
    if (result.isGeneratorBusy()) {
      words.append("generator busy ");
    }
    if (!rules.accept(result) && result.isWhole()) {
      words.append("INVALID ");
    }
    result
        .reading()
        .faults()
        .forEach(
            (fault, some) ->
                words.append(
                    "%d x %s (%s) ".formatted(some.count(), fault.label(), some.example())));
    return words.toString().strip();
  }
}
