package dev.upcall.specweb.run;

import java.util.Locale;

/** When a load point counts. */
public enum Rules {
  /** Without a single error. */
  STRICT(0),

  /** With errors up to one operation in a hundred. */
  RESEARCH(0.01);

  private final double errorShareLimit;

  Rules(double errorShareLimit) {
    this.errorShareLimit = errorShareLimit;
  }

  /** Whether a point counts: measured to its end, answered at all, and with no more errors. */
  public boolean accept(PointResult result) {
    return result.isWhole()
        && result.reading().operations().count() > 0
        && result.errorShare() <= errorShareLimit;
  }

  /** As it is written on the command line and in reports. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
