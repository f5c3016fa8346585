package dev.upcall.bench.harness;

import java.util.Locale;

/** Numbers as people read them: three or four digits that count. */
public final class Numbers {
  private Numbers() {}

  /** A number with thousands separated; a dash when it is unknown. */
  public static String show(double value) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return "-";
    }
    double size = Math.abs(value);
    String format = size >= 100 || size == 0 ? "%,.0f" : size >= 10 ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, format, value);
  }

  /** A ratio; a dash when it is unknown. */
  public static String ratio(double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%.2f", value) : "-";
  }

  /** A part of one as per cent. */
  public static String percent(double part) {
    return Double.isNaN(part) ? "-" : String.format(Locale.ROOT, "%.0f %%", part * 100);
  }
}
