package dev.upcall.cli.posix;

import dev.upcall.MetadataChange;
import dev.upcall.UpcallException;
import dev.upcall.cli.option.CommandFailure;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Times as users write them: a day, a day with a time (a blank or a T between them), a time with an
 * offset or Z, or seconds since 1970 after an {@code @}. What names no offset is UTC, as all times
 * are that the commands show.
 */
final class TimeText {
  private static final ZoneId ZONE = ZoneOffset.UTC;
  private static final Pattern DIGITS =
      Pattern.compile("(?:(\\d\\d)?(\\d\\d))?(\\d\\d)(\\d\\d)(\\d\\d)(\\d\\d)(?:\\.(\\d\\d))?");

  private TimeText() {}

  /**
   * Nanoseconds since 1970.
   *
   * @param option what named it, for the message
   */
  static long nanos(String option, String text) {
    try {
      return MetadataChange.NONE.withModified(instant(text)).modifiedNanos().orElseThrow();
    } catch (DateTimeException | NumberFormatException wrong) {
      throw CommandFailure.usage(
          "%s %s is no time; write 2026-11-29, 2026-11-29T13:00:00Z or @1795957200"
              .formatted(option, text));
    } catch (IllegalArgumentException | UpcallException outOfRange) {
      throw CommandFailure.usage(
          option + " " + text + " is no time between the years 1677 and 2262");
    }
  }

  /**
   * Nanoseconds since 1970 of a time as {@code touch -t} takes it, in UTC: {@code
   * [[CC]YY]MMDDhhmm[.ss]}. Without a year it is the present one, and two digits from 69 on are of
   * the years 19.., others 20...
   *
   * @param option what named it, for the message
   */
  static long nanosOfDigits(String option, String text) {
    Matcher digits = DIGITS.matcher(text);
    if (!digits.matches()) {
      throw CommandFailure.usage(
          option + " " + text + " is no time; write digits as 202611291300 or 202611291300.59");
    }
    String year = digits.group(2);
    String century = digits.group(1);
    if (year == null) {
      year = Integer.toString(LocalDate.now(ZONE).getYear());
    } else if (century == null) {
      year = (Integer.parseInt(year) < 69 ? "20" : "19") + year;
    } else {
      year = century + year;
    }
    String seconds = digits.group(7) == null ? "00" : digits.group(7);
    return nanos(
        option,
        "%s-%s-%sT%s:%s:%s"
            .formatted(
                year, digits.group(3), digits.group(4), digits.group(5), digits.group(6), seconds));
  }

  private static Instant instant(String text) {
    if (text.startsWith("@")) {
      return Instant.ofEpochSecond(Long.parseLong(text.substring(1)));
    }
    if (text.length() == "2026-11-29".length()) {
      return LocalDate.parse(text).atStartOfDay(ZONE).toInstant();
    }
    String time = text.replace(' ', 'T');
    boolean hasOffset =
        time.endsWith("Z") || time.lastIndexOf('+') > 0 || time.lastIndexOf('-') > 9;
    return hasOffset
        ? OffsetDateTime.parse(time).toInstant()
        : LocalDateTime.parse(time).atZone(ZONE).toInstant();
  }
}
