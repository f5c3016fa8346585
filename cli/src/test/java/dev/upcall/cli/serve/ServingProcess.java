package dev.upcall.cli.serve;

import dev.upcall.cli.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A process of its own that serves with the flags of the launcher. */
final class ServingProcess {
  private static final String BEGIN = "long_flags=\"";
  private static final String TRIM = "-XX:TrimNativeHeapInterval=";

  private final Process process;
  private final StringBuilder said = new StringBuilder();

  private ServingProcess(Process process) {
    this.process = process;
  }

  /**
   * Starts it.
   *
   * @param complaints where they go
   * @param more flags of the JVM, which win over those of the launcher
   */
  static ServingProcess start(
      Path folder, ProcessBuilder.Redirect complaints, List<String> more, List<String> words)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("--sun-misc-unsafe-memory-access=allow");
    command.addAll(flags());
    command.addAll(more);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(words);
    return new ServingProcess(
        new ProcessBuilder(command).directory(folder.toFile()).redirectError(complaints).start());
  }

  private static List<String> flags() throws IOException {
    String first =
        Files.readAllLines(Path.of("../upcall")).stream()
            .filter(line -> line.startsWith(BEGIN))
            .findFirst()
            .orElseThrow();
    // On a machine with memory enough for what is tested.
    String enough = first.replace("${young}", "64");
    return Stream.of(enough.substring(BEGIN.length(), enough.length() - 1).split(" ", -1))
        .map(flag -> flag.startsWith(TRIM) ? TRIM + 1_000 : flag)
        .toList();
  }

  Process process() {
    return process;
  }

  /** A number that it has said, as JSON, or says next. */
  int number(String name) throws IOException {
    Pattern wanted = Pattern.compile("\"" + name + "\"\\s*:\\s*\"?[^0-9\"]*(?:[0-9.]+:)?([0-9]+)");
    BufferedReader out = process.inputReader();
    while (true) {
      Matcher found = wanted.matcher(said);
      if (found.find() && found.end() < said.length()) {
        return Integer.parseInt(found.group(1));
      }
      String line = out.readLine();
      if (line == null) {
        throw new AssertionError("it said: " + said);
      }
      said.append(line).append('\n');
    }
  }

  /** A line of its status in MiB, of VmRSS for the memory that it has now. */
  long mib(String what) throws IOException {
    return status(what) >> 10;
  }

  /** A number in its status. */
  long status(String what) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"))) {
      if (line.startsWith(what + ":")) {
        return Long.parseLong(line.replaceAll("[^0-9]", ""));
      }
    }
    throw new AssertionError("no " + what);
  }

  long descriptors() throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc/" + process.pid() + "/fd"))) {
      return all.count();
    }
  }
}
