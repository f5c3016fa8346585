package dev.upcall.journal.queue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A JVM of its own, with the classes of this module and what it needs at run time: those that say
 * what is asked, and none that a store needs besides.
 */
public final class ChildJvm {
  public static final List<String> OPENS =
      List.of(
          "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
          "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED");

  private static final int MOST_SECONDS = 60;

  /** What the module and Chronicle Queue consist of; all else is the tests'. */
  private static final List<String> NEEDED =
      List.of(
          "/journal/target/",
          "/fileman/target/",
          "/storage-core/target/",
          "/net/openhft/",
          "/com/github/jnr/",
          "/org/ow2/asm/",
          "/slf4j-");

  private ChildJvm() {}

  /** Starts a main method. */
  public static Process start(List<String> flags, Class<?> main, Object... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("--sun-misc-unsafe-memory-access=allow", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-XX:+UseSerialGC", "-Xmx128m"));
    command.addAll(flags);
    command.addAll(List.of("-cp", classPath(), main.getName()));
    Stream.of(arguments).map(Object::toString).forEach(command::add);
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  /** Runs a main method to its end; all that it has written. */
  public static String run(List<String> flags, Class<?> main, Object... arguments)
      throws IOException, InterruptedException {
    Process child = start(flags, main, arguments);
    try {
      String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!child.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException(main + " does not end, it said " + said);
      }
      return said;
    } finally {
      child.destroyForcibly();
    }
  }

  /** What lies on the child's class path. */
  public static String classPath() {
    // Surefire may put the real class path behind one manifest.
    String surefire = System.getProperty("surefire.test.class.path");
    String all = surefire == null ? System.getProperty("java.class.path") : surefire;
    return Stream.of(all.split(File.pathSeparator, -1))
        .filter(entry -> NEEDED.stream().anyMatch(entry::contains))
        .collect(Collectors.joining(File.pathSeparator));
  }
}
