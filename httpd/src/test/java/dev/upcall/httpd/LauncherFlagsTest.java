package dev.upcall.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
    return List.of(first.substring(BEGIN.length(), first.length() - 1).split(" ", -1));
  }

  @Test
  void manyAnswersAtOnceTakeOneWriteEach() throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("--sun-misc-unsafe-memory-access=allow");
    command.addAll(flags());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(ManyAnswers.class.getName());
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor());
    int completions = Integer.parseInt(said.strip());
    assertTrue(
        completions <= ManyAnswers.CONNECTIONS + 2,
        completions + " completions for " + ManyAnswers.CONNECTIONS + " answers");
  }
}
