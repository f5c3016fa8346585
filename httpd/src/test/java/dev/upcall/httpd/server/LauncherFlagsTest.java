package dev.upcall.httpd.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.util.ResourceLeakDetector;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The flags that the launcher starts Java with. */
class LauncherFlagsTest {
  private static final String BEGIN = "long_flags=\"";

  private static List<String> flags() throws IOException {
    String first =
        Files.readAllLines(Path.of("../upcall")).stream()
            .filter(line -> line.startsWith(BEGIN))
            .findFirst()
            .orElseThrow();
    // On a machine with memory enough for what is tested.
    String enough = first.replace("${young}", "64");
    return List.of(enough.substring(BEGIN.length(), enough.length() - 1).split(" ", -1));
  }

  private static String said(Class<?> program) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("--sun-misc-unsafe-memory-access=allow");
    command.addAll(flags());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(program.getName());
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor());
    return said.strip();
  }

  /** Says whether Netty looks for leaks. */
  static final class LeakWatch {
    private LeakWatch() {}

    public static void main(String[] args) {
      System.out.println(ResourceLeakDetector.getLevel());
    }
  }

  @Test
  void nettyLooksForNoLeaks() throws Exception {
    assertEquals("DISABLED", said(LeakWatch.class));
  }

  @Test
  void manyAnswersAtOnceTakeOneWriteEach() throws Exception {
    int completions = Integer.parseInt(said(ManyAnswers.class));
    assertTrue(
        completions <= ManyAnswers.CONNECTIONS + 2,
        completions + " completions for " + ManyAnswers.CONNECTIONS + " answers");
  }
}
