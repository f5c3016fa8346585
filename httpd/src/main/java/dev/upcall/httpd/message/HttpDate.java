package dev.upcall.httpd.message;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/** The date of HTTP headers: {@code Sun, 06 Nov 1994 08:49:37 GMT}. */
public final class HttpDate {
  /** Every date has this length. */
  public static final int LENGTH = 29;

  /** What {@link #parse} gives for what is no date. */
  static final long NONE = Long.MIN_VALUE;

  private static final int ASCTIME_LENGTH = 24;

  /** Of the form with a two-digit year, without the name of the day. */
  private static final int RFC850_LENGTH = 24;

  private static final byte[] DAYS = ascii("ThuFriSatSunMonTueWed");
  private static final String MONTH_NAMES = "JanFebMarAprMayJunJulAugSepOctNovDec";
  private static final byte[] MONTHS = ascii(MONTH_NAMES);
  private static final long FIRST_SECOND = -62_167_219_200L; // the begin of the year 0
  private static final long LAST_SECOND = 253_402_300_799L; // the end of the year 9999
  private static final int SECONDS_IN_DAY = 86_400;

  private HttpDate() {}

  /**
   * Writes a date. A year has four digits: seconds outside the years 0 to 9999 are moved to the
   * nearest inside.
   */
  public static void write(long epochSeconds, byte[] out, int at) {
    long seconds = Math.clamp(epochSeconds, FIRST_SECOND, LAST_SECOND);
    long day = Math.floorDiv(seconds, SECONDS_IN_DAY);
    int second = Math.floorMod(seconds, SECONDS_IN_DAY);
    LocalDate date = LocalDate.ofEpochDay(day);
    System.arraycopy(DAYS, Math.floorMod(day, 7) * 3, out, at, 3);
    out[at + 3] = ',';
    out[at + 4] = ' ';
    twoDigits(date.getDayOfMonth(), out, at + 5);
    out[at + 7] = ' ';
    System.arraycopy(MONTHS, (date.getMonthValue() - 1) * 3, out, at + 8, 3);
    out[at + 11] = ' ';
    twoDigits(date.getYear() / 100, out, at + 12);
    twoDigits(date.getYear() % 100, out, at + 14);
    out[at + 16] = ' ';
    twoDigits(second / 3600, out, at + 17);
    out[at + 19] = ':';
    twoDigits(second / 60 % 60, out, at + 20);
    out[at + 22] = ':';
    twoDigits(second % 60, out, at + 23);
    out[at + 25] = ' ';
    out[at + 26] = 'G';
    out[at + 27] = 'M';
    out[at + 28] = 'T';
  }

  /**
   * Reads a date in any of the three forms of RFC 9110, section 5.6.7: the present one and the two
   * obsolete ones, {@code Sunday, 06-Nov-94 08:49:37 GMT} and {@code Sun Nov 6 08:49:37 1994}.
   *
   * @return seconds since 1970, or {@link #NONE}
   */
  static long parse(String text) {
    if (text.length() == LENGTH && text.startsWith(", ", 3) && text.endsWith(" GMT")) {
      return seconds(number(text, 12, 16), text.substring(8, 11), number(text, 5, 7), text, 17);
    }
    if (text.length() == ASCTIME_LENGTH) {
      int day = number(text, text.charAt(8) == ' ' ? 9 : 8, 10);
      return seconds(number(text, 20, 24), text.substring(4, 7), day, text, 11);
    }
    int comma = text.indexOf(", ");
    if (comma > 0 && text.length() == comma + RFC850_LENGTH && text.endsWith(" GMT")) {
      int year = number(text, comma + 9, comma + 11);
      // No server has written this form since 1994: what it means is not long before that.
      year = year < 0 ? year : year < 70 ? 2000 + year : 1900 + year;
      String month = text.substring(comma + 5, comma + 8);
      return seconds(year, month, number(text, comma + 2, comma + 4), text, comma + 12);
    }
    return NONE;
  }

  /** Puts a date together; the time of day stands in the text. */
  private static long seconds(int year, String monthName, int day, String text, int timeAt) {
    int month = MONTH_NAMES.indexOf(monthName);
    int hour = number(text, timeAt, timeAt + 2);
    int minute = number(text, timeAt + 3, timeAt + 5);
    int second = number(text, timeAt + 6, timeAt + 8);
    if (month < 0 || month % 3 != 0 || (day | year | hour | minute | second) < 0) {
      return NONE;
    }
    try {
      return LocalDateTime.of(year, month / 3 + 1, day, hour, minute, Math.min(second, 59))
          .toEpochSecond(ZoneOffset.UTC);
    } catch (DateTimeException impossible) {
      return NONE;
    }
  }

  /** Appends a time as a table of files shows it, in UTC: {@code 1994-11-06 08:49}. */
  public static void readable(StringBuilder out, long epochSeconds) {
    long seconds = Math.clamp(epochSeconds, FIRST_SECOND, LAST_SECOND);
    LocalDate date = LocalDate.ofEpochDay(Math.floorDiv(seconds, SECONDS_IN_DAY));
    int minutes = Math.floorMod(seconds, SECONDS_IN_DAY) / 60;
    out.append(date).append(' ');
    twoDigits(out, minutes / 60);
    out.append(':');
    twoDigits(out, minutes % 60);
  }

  private static void twoDigits(StringBuilder out, int value) {
    out.append((char) ('0' + value / 10)).append((char) ('0' + value % 10));
  }

  private static int number(String text, int from, int to) {
    int value = 0;
    for (int i = from; i < to; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      value = value * 10 + digit;
    }
    return value;
  }

  private static void twoDigits(int value, byte[] out, int at) {
    out[at] = (byte) ('0' + value / 10);
    out[at + 1] = (byte) ('0' + value % 10);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
