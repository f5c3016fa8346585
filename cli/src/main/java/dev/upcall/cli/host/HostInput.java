package dev.upcall.cli.host;

import dev.upcall.cli.option.CommandFailure;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Input that a command line names, where that is one of the process's descriptors. */
public final class HostInput {
  private static final Pattern DESCRIPTOR = Pattern.compile("/(?:dev|proc/self)/fd/(\\d+)");

  /**
   * Numbers, each behind a comma, that were closed when Java was started: the launcher says which
   * of those that are named. Java has given such numbers to files of its own since.
   */
  private static final String CLOSED = "upcall.closedDescriptors";

  private HostInput() {}

  /** Whether it is standard input, under whatever name: that is read, and not opened again. */
  public static boolean isStandard(String source) {
    return source.equals("-") || source.equals("/dev/stdin") || "0".equals(descriptor(source));
  }

  /** Refuses a descriptor that nobody has opened. */
  public static void check(String source) {
    String number = descriptor(source);
    if (number != null && List.of(System.getProperty(CLOSED, "").split(",", -1)).contains(number)) {
      throw CommandFailure.failed(source + " is not open: nothing was given under that number");
    }
  }

  private static @Nullable String descriptor(String source) {
    Matcher named = DESCRIPTOR.matcher(source);
    return named.matches() ? named.group(1) : null;
  }
}
