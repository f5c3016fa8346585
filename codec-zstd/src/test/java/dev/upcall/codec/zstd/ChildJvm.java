package dev.upcall.codec.zstd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A program of a test in a JVM of its own. */
final class ChildJvm {
  private ChildJvm() {}

  /** The class path of the test. */
  static String classPath() {
    String surefire = System.getProperty("surefire.test.class.path");
    return surefire == null ? System.getProperty("java.class.path") : surefire;
  }

  /**
   * The lines that a program says, which must end well.
   *
   * @param folder for its output
   * @param flags of Java, besides a small heap and a quick start
   */
  static List<String> run(
      Path folder, List<String> flags, String classPath, Class<?> program, String argument)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1"));
    command.addAll(flags);
    command.addAll(List.of("-cp", classPath, program.getName(), argument));
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(output.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    int code = process.waitFor();
    List<String> lines = Files.readAllLines(output, UTF_8);
    assertEquals(0, code, lines::toString);
    return lines;
  }
}
