package dev.upcall.jvm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A program of a test in a JVM of its own. */
public final class ChildProgram {
  private ChildProgram() {}

  /** The class path of the test. */
  public static String classPath() {
    String surefire = System.getProperty("surefire.test.class.path");
    return surefire == null ? System.getProperty("java.class.path") : surefire;
  }

  /**
   * The words that start it.
   *
   * @param flags of Java, besides a quick start
   */
  public static List<String> command(
      List<String> flags, String classPath, Class<?> program, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.addAll(flags);
    command.addAll(List.of("-cp", classPath, program.getName()));
    command.addAll(arguments);
    return command;
  }

  /**
   * The lines that a command says, which must end well.
   *
   * @param folder for its output
   */
  public static List<String> said(Path folder, List<String> command)
      throws IOException, InterruptedException {
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
