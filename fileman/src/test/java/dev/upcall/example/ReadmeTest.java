package dev.upcall.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's example is what the class beside this test does, and does what it says. */
class ReadmeTest {
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

  @TempDir Path folder;

  @Test
  void theExampleIsThatOfTheReadme() throws IOException {
    Matcher block =
        Pattern.compile("(?ms)^```java\n(.*?)^```$")
            .matcher(Files.readString(ROOT.resolve("README.md")));
    assertTrue(block.find(), "README.md holds a Java example");
    String source =
        Files.readString(
            ROOT.resolve("fileman/src/test/java/dev/upcall/example/EmbeddedExample.java"));
    String body =
        source.substring(source.indexOf("    try (FsmUpcall"), source.lastIndexOf("  }\n}"));
    assertEquals(body.stripTrailing().stripIndent() + "\n", block.group(1));
  }

  @Test
  void theExampleRunsAlsoASecondTime() throws IOException {
    String volume = folder.resolve("letters.upcall").toString();
    for (int run = 0; run < 2; run++) {
      assertEquals("b.txt 12\nc.txt 12\n", output(volume));
    }
  }

  private static String output(String volume) throws IOException {
    PrintStream before = System.out;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      EmbeddedExample.main(new String[] {volume});
    } finally {
      System.setOut(before);
    }
    return bytes.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
  }
}
