package dev.upcall.cli.option;

import dev.upcall.base.Printable;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * A library's log record on one line: the time, how serious it is, what it says, and the error that
 * it met. The time is UTC, for which the JDK opens no file.
 */
public final class LogLine extends Formatter {
  private static final String CHOSEN = "java.util.logging.SimpleFormatter.format";

  /** Has all messages of this process come so, unless the user has chosen a form of his own. */
  public static void install() {
    if (System.getProperty(CHOSEN) == null) {
      for (Handler handler : Logger.getLogger("").getHandlers()) {
        handler.setFormatter(new LogLine());
      }
    }
  }

  /**
   * Reads what a warning needs of the JDK: a process that warns of too few descriptors has none for
   * the files of time zones and of settings.
   */
  public static void prepareWarnings() {
    LogRecord none = new LogRecord(Level.WARNING, "");
    for (Handler handler : Logger.getLogger("").getHandlers()) {
      handler.getFormatter().format(none);
    }
  }

  @Override
  public String format(LogRecord record) {
    return line(
        record.getInstant(),
        record.getLevel().getName(),
        formatMessage(record)
            + (record.getThrown() == null ? "" : ": " + record.getThrown().toString()));
  }

  /** One of them. */
  static String line(Instant time, String level, String message) {
    return "upcall: %s %s: %s%n"
        .formatted(time.truncatedTo(ChronoUnit.SECONDS), level, Printable.of(message));
  }
}
