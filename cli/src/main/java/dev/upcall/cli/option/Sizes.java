package dev.upcall.cli.option;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Sizes as users write and read them: 4096, 64k, 64m, 2g, 1t; units are powers of 1024. */
public final class Sizes implements ITypeConverter<Long> {
  private static final Pattern SIZE =
      Pattern.compile("(\\d{1,15})\\s*(?:([kmgt])(?:i?b)?|b)?", Pattern.CASE_INSENSITIVE);
  private static final String UNITS = "kmgt";

  @Override
  public Long convert(String text) {
    return parse(text);
  }

  /** Bytes of a size. */
  public static long parse(String text) {
    Matcher matcher = SIZE.matcher(text.strip());
    if (!matcher.matches()) {
      throw new TypeConversionException(
          "'" + text + "' is not a size; write bytes or 512k, 64m, 2g, 1t");
    }
    String unit = matcher.group(2);
    int shift = unit == null ? 0 : 10 * (1 + UNITS.indexOf(unit.toLowerCase(Locale.ROOT)));
    long count = Long.parseLong(matcher.group(1));
    if (count > Long.MAX_VALUE >> shift) {
      throw new TypeConversionException("'" + text + "' is too large");
    }
    return count << shift;
  }

  /** A size for a person: 999 B, 1.5 KiB, 12 MiB. */
  public static String show(long bytes) {
    return show(bytes, 1024, "iB");
  }

  /** A size for a person, in powers of 1000: 999 B, 1.5 kB, 12 MB. */
  public static String showDecimal(long bytes) {
    return show(bytes, 1000, "B").replace('K', 'k');
  }

  private static String show(long bytes, int step, String unitEnd) {
    if (bytes < step) {
      return bytes + " B";
    }
    double value = bytes;
    int unit = -1;
    while (value >= step && unit < UNITS.length() - 1) {
      value /= step;
      unit++;
    }
    char letter = Character.toUpperCase(UNITS.charAt(unit));
    return String.format(
        Locale.ROOT, value < 10 ? "%.1f %c%s" : "%.0f %c%s", value, letter, unitEnd);
  }
}
