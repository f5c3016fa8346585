package dev.upcall.cli.option;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Lengths of time as users write them: 90s, 15m, 1h, 30d; a number alone is seconds. */
public final class Durations implements ITypeConverter<Duration> {
  private static final Pattern DURATION =
      Pattern.compile("(\\d{1,10})\\s*([smhd]?)", Pattern.CASE_INSENSITIVE);

  @Override
  public Duration convert(String text) {
    Matcher matcher = DURATION.matcher(text.strip());
    if (!matcher.matches() || Long.parseLong(matcher.group(1)) == 0) {
      throw new TypeConversionException(
          "'" + text + "' is not a length of time; write 90s, 15m, 1h or 30d");
    }
    long count = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "m", "M" -> Duration.ofMinutes(count);
      case "h", "H" -> Duration.ofHours(count);
      case "d", "D" -> Duration.ofDays(count);
      default -> Duration.ofSeconds(count);
    };
  }
}
