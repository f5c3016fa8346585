package dev.upcall.cli.crash;

import dev.upcall.jvm.ArchivedClasses;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A JVM of its own, to be killed. */
public final class Victim {
  /** Within this it has begun its work, on a machine that is busy with other things, too. */
  static final int WAIT_SECONDS = 120;

  private static final ArchivedClasses CLASSES =
      new ArchivedClasses("dev.upcall.cli.Rehearsal", /* first= */ 3);

  private Victim() {}

  /** Starts the main method of a class of this build, which writes what it says into a file. */
  public static Process start(Path log, String mainClass, String... arguments) throws IOException {
    return startIn(Path.of(""), log, mainClass, arguments);
  }

  /** The same in a directory. */
  static Process startIn(Path directory, Path log, String mainClass, String... arguments)
      throws IOException {
    List<String> flags = flags();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.addAll(CLASSES.flags(flags));
    command.add(mainClass);
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .directory(directory.toAbsolutePath().toFile())
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  /** This JVM's own where they open something, and what is over soon needs. */
  private static List<String> flags() {
    List<String> flags = new ArrayList<>();
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> flag.startsWith("--"))
        .forEach(flags::add);
    // As it is used: the library's assertions have an opinion on files that a loss of power has
    // damaged.
    flags.addAll(List.of("-ea", "-da:net.openhft...", "-Xmx128m", "-XX:MaxDirectMemorySize=256m"));
    flags.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dfile.encoding=UTF-8"));
    return flags;
  }
}
