package dev.upcall.cli.trace;

import dev.upcall.cli.option.CommandFailure;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times and lengths of time as people read and write them. */
final class Times {
  private static final long SECOND = 1_000_000_000L;
  private static final DateTimeFormatter OF_DAY =
      DateTimeFormatter.ofPattern("HH:mm:ss.SSSSSS", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final Pattern DISTANCE =
      Pattern.compile("([+-])(\\d{1,9}(?:\\.\\d{1,9})?)(us|ms|s)");

  private Times() {}

  /** A length: 840 ns, 12.3 us, 1.85 ms, 2.40 s. */
  static String length(long nanos) {
    if (nanos < 1000) {
      return nanos + " ns";
    }
    double value = nanos;
    String unit = "ns";
    for (String larger : new String[] {"us", "ms", "s"}) {
      if (value < 999.5) {
        break;
      }
      value /= 1000;
      unit = larger;
    }
    int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    return String.format(Locale.ROOT, "%." + decimals + "f %s", value, unit);
  }

  /** A time of day in UTC, to the microsecond. */
  static String ofDay(long epochNanos) {
    return OF_DAY.format(instant(epochNanos));
  }

  /** A time in ISO 8601. */
  static Instant instant(long epochNanos) {
    return Instant.ofEpochSecond(
        Math.floorDiv(epochNanos, SECOND), Math.floorMod(epochNanos, SECOND));
  }

  /**
   * A time that a user has written: in ISO 8601, or a distance from the begin (+1.5s, +20ms) or
   * from the end (-2s).
   *
   * @param firstNanos the begin, since 1970
   * @param lastNanos the end
   */
  static long parse(String text, long firstNanos, long lastNanos) {
    Matcher distance = DISTANCE.matcher(text);
    if (distance.matches()) {
      long unit =
          switch (distance.group(3)) {
            case "us" -> 1000;
            case "ms" -> 1_000_000;
            default -> SECOND;
          };
      long nanos = Math.round(Double.parseDouble(distance.group(2)) * unit);
      return distance.group(1).equals("+") ? firstNanos + nanos : lastNanos - nanos;
    }
    try {
      Instant instant = Instant.parse(text);
      return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), SECOND), instant.getNano());
    } catch (DateTimeParseException | ArithmeticException none) {
      throw CommandFailure.usage(
          "'" + text + "' is no time; write 2026-11-23T09:30:00.5Z, +1.5s or -20ms");
    }
  }
}
