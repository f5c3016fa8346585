package dev.upcall.fileman.blocking;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.upcall.io.NativeAccess;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/**
 * Reads and verifies the classes that opening a store and a first write come to, on a thread of its
 * own, while the opener makes the ring, which takes as long, and waits for the device. Initialises
 * none of them: two threads that do could wait for each other. The foreign calls, which are not of
 * the store, it does prepare.
 *
 * <p>Which ones stands in a list beside this class, in the order in which an opening comes to them;
 * a test writes it, and sees that it is true.
 */
public final class StartClasses {
  /** The list, one full name a line. */
  static final String LIST = "start-classes.txt";

  private StartClasses() {}

  /** Begins; at most once in a JVM, and not where there is one processor. Any thread. */
  public static void begin() {
    if (Runtime.getRuntime().availableProcessors() > 1) {
      Once.begin();
    }
  }

  /** Who opens a second store finds them there. */
  private static final class Once {
    static {
      try {
        Thread.ofPlatform().daemon().name("upcall classes").start(StartClasses::load);
      } catch (OutOfMemoryError noThread) {
        // The opening reads them itself.
        System.getLogger(StartClasses.class.getName())
            .log(System.Logger.Level.DEBUG, "no thread reads classes ahead", noThread);
      }
    }

    static void begin() {
      // The first call has started the thread.
    }
  }

  private static void load() {
    ClassLoader loader = StartClasses.class.getClassLoader();
    for (String name : names()) {
      verify(name, loader);
    }
    NativeAccess.prepare();
  }

  private static void verify(String name, ClassLoader loader) {
    try {
      // The constructors are asked for because that verifies the class.
      Objects.requireNonNull(Class.forName(name, false, loader).getDeclaredConstructors());
    } catch (ClassNotFoundException gone) {
      // The code is newer than the list, of which the test bounds how old it may be.
    } catch (LinkageError broken) {
      // Whoever opens the store comes to that class, too, and it is told there.
    }
  }

  private static String[] names() {
    try (InputStream list = StartClasses.class.getResourceAsStream(LIST)) {
      return new String(Objects.requireNonNull(list, LIST).readAllBytes(), US_ASCII).split("\n");
    } catch (IOException unreadable) {
      throw new UncheckedIOException(LIST, unreadable);
    }
  }
}
