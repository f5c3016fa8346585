package dev.upcall.nio.program;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A process of a test that says a number whenever it has done something, until it is killed. */
final class KilledChild {
  private final Class<?> program;
  private final Path folder;

  /**
   * A program.
   *
   * @param program its main method is given the path of the volume
   * @param folder where its volume {@code v.upcall} and its errors are
   */
  KilledChild(Class<?> program, Path folder) {
    this.program = program;
    this.folder = folder;
  }

  Path volume() {
    return folder.resolve("v.upcall");
  }

  /** Starts it, kills it by SIGKILL after so many lines, and gives the last number that it said. */
  int killedAfter(int lines) throws IOException, InterruptedException {
    String surefire = System.getProperty("surefire.test.class.path");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(
        List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
    command.addAll(
        List.of("-cp", surefire == null ? System.getProperty("java.class.path") : surefire));
    command.addAll(List.of(program.getName(), volume().toString()));
    Process process =
        new ProcessBuilder(command).redirectError(folder.resolve("errors").toFile()).start();
    int last = 0;
    try (BufferedReader said =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      String line = said.readLine();
      for (int i = 1; i < lines && line != null; i++) {
        last = Integer.parseInt(line);
        line = said.readLine();
      }
      // Not by the process itself, which would close its output: what it said before counts, too.
      process.toHandle().destroyForcibly();
      for (; line != null; line = said.readLine()) {
        last = Integer.parseInt(line);
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
    return last;
  }
}
