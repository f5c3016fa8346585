package dev.upcall.journal.queue;

import java.util.List;
import java.util.Objects;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import net.openhft.chronicle.queue.ChronicleQueue;

/** What Chronicle Queue needs of the JVM that it runs in. Any thread. */
public final class ChronicleJvm {
  /** Packages of {@code java.base} with the methods by which it maps files. */
  private static final List<String> OPENED = List.of("java.lang.reflect", "sun.nio.ch");

  /** All packages of the library. */
  private static final String LIBRARY = "net.openhft";

  /** Read by it once, when it is first used. */
  private static final String NO_ANALYTICS = "chronicle.analytics.disable";

  /** How long it waits for its table of locks, and for a file that somebody else is making. */
  private static final String TABLE_WAIT = "chronicle.table.store.timeoutMS";

  private static final long TABLE_WAIT_MILLIS = 2000;

  /**
   * Warns in each JVM that it could not do what it then does in another way. Held, or it is
   * forgotten.
   */
  private static final Logger USELESS_WARNING =
      Logger.getLogger(
          "net.openhft.chronicle.core.internal.cleaner.ReflectionBasedByteBufferCleanerService");

  private ChronicleJvm() {}

  /**
   * Fails with one sentence that names the flags when Java was started without them. Asked before
   * any file is touched and any code of Chronicle Queue runs; on the way its statistics are
   * switched off for this process, and its assertions: with Java's {@code -ea} they would take what
   * a loss of power leaves of a file for an error of the program, and refuse appends.
   *
   * @throws IllegalStateException when a flag is missing
   */
  public static void prepare() {
    Module base = Object.class.getModule();
    Module user = ChronicleQueue.class.getModule();
    List<String> closed = OPENED.stream().filter(name -> !base.isOpen(name, user)).toList();
    if (!closed.isEmpty()) {
      throw new IllegalStateException(
          closed.stream()
              .map(name -> flag(name, user))
              .collect(Collectors.joining(" ", "the queue needs Java to be started with ", "")));
    }
    System.setProperty(NO_ANALYTICS, "true");
    if (System.getProperty(TABLE_WAIT) == null) {
      System.setProperty(TABLE_WAIT, Long.toString(TABLE_WAIT_MILLIS));
    }
    USELESS_WARNING.setLevel(Level.OFF);
    Objects.requireNonNull(ChronicleQueue.class.getClassLoader())
        .setPackageAssertionStatus(LIBRARY, false);
  }

  private static String flag(String name, Module user) {
    return "--add-opens=java.base/%s=%s"
        .formatted(name, user.isNamed() ? user.getName() : "ALL-UNNAMED");
  }
}
