package dev.upcall.specweb.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.specweb.FileSet;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command writes the set, finds what differs, and answers by its exit code. */
class SpecwebCommandTest {
  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    CommandLine line = Main.commandLine();
    line.setOut(new PrintWriter(out));
    line.setErr(new PrintWriter(err));
    return line.execute(args);
  }

  @Test
  void help_ofEveryCommand_isShown() {
    for (String name : Main.commandLine().getSubcommands().keySet()) {
      assertEquals(0, run(name, "--help"), () -> name + ": " + err);
    }
  }

  @Test
  void writesWhatTheCheckAccepts() throws IOException {
    assertEquals(0, run("files", "--dirs", "2", folder.toString()));
    try (Stream<Path> files = Files.walk(folder)) {
      assertEquals(72, files.filter(Files::isRegularFile).count());
    }
    FileSet.Entry last = new FileSet.Entry(1, 3, 8);
    assertArrayEquals(last.content(), Files.readAllBytes(folder.resolve(last.path())));
    assertEquals(0, run("check", "--dirs", "2", folder.toString()));
    assertTrue(out.toString().contains("72 files, 10238970 bytes"), out.toString());
  }

  @Test
  void checkNamesWhatDiffers() throws IOException {
    assertEquals(0, run("files", "--dirs", "1", folder.toString()));
    Path flipped = folder.resolve(new FileSet.Entry(0, 1, 1).path());
    byte[] bytes = Files.readAllBytes(flipped);
    bytes[2_000]++;
    Files.write(flipped, bytes);
    Files.write(folder.resolve(new FileSet.Entry(0, 0, 0).path()), new byte[1]);
    Files.delete(folder.resolve(new FileSet.Entry(0, 0, 5).path()));

    assertEquals(1, run("check", "--dirs", "1", folder.toString()));
    String text = err.toString();
    assertTrue(text.contains("class1_1: differs at byte 2000"), text);
    assertTrue(text.contains("class0_0: 1 bytes instead of 102"), text);
    assertTrue(text.contains("class0_5: missing"), text);
  }

  @Test
  void sizeMayFollowFromTheRate() {
    assertEquals(0, run("files", "--rate", "1", folder.toString()));
    assertEquals(0, run("check", "--dirs", "10", folder.toString()));
  }

  @Test
  void wrongUsageIsTold() {
    assertEquals(2, run("files", "--dirs", "1", "--rate", "5", folder.toString()));
    assertEquals(2, run("files"));
    assertEquals(2, run("files", "--dirs", "0", folder.toString()));
    assertEquals(2, run());
  }

  @Test
  void unwritableFolderFailsInOneLine() throws IOException {
    Path file = Files.writeString(folder.resolve("a file"), "x");
    assertEquals(1, run("files", "--dirs", "1", file.resolve("below").toString()));
    assertEquals(1, err.toString().lines().filter(line -> line.startsWith("specweb:")).count());
  }
}
