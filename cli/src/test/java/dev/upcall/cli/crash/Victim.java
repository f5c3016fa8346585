package dev.upcall.cli.crash;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A JVM of its own, to be killed. */
final class Victim {
  private Victim() {}

  /** Starts the main method of a class of this build, which writes what it says into a file. */
  static Process start(Path log, String mainClass, String... arguments) throws IOException {
    return startIn(Path.of(""), log, mainClass, arguments);
  }

  /** The same in a directory. */
  static Process startIn(Path directory, Path log, String mainClass, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> flag.startsWith("--"))
        .forEach(command::add);
    // As it is used: the library's assertions have an opinion on files that a loss of power has
    // damaged.
    command.addAll(
        List.of(
            "-ea",
            "-da:net.openhft...",
            "-Xmx128m",
            "-XX:MaxDirectMemorySize=256m",
            "-XX:+UseSerialGC"));
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-Dfile.encoding=UTF-8"));
    command.addAll(List.of("-cp", classPath(), mainClass));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .directory(directory.toAbsolutePath().toFile())
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  /** Surefire may put the real class path behind one manifest. */
  private static String classPath() {
    String surefire = System.getProperty("surefire.test.class.path");
    String path = surefire == null ? System.getProperty("java.class.path") : surefire;
    return String.join(File.pathSeparator, path.split(File.pathSeparator, -1));
  }
}
