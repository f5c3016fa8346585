package dev.upcall.bench.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Settings;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildTest {
  @TempDir Path folder;

  @Test
  void whatWasThrownIsToldAndNotWhere() {
    StringBuilder errors = new StringBuilder("Exception in thread \"main\" it broke\n");
    for (int i = 0; i < 10; i++) {
      errors.append("\tat dev.upcall.Some.method").append(i).append("(Some.java:1)\n");
    }
    errors.append("\nCaused by: the reason\n\tat dev.upcall.Other.one(Other.java:2)\n");
    errors.append("\t... 4 more\n");
    assertEquals(
        ": Exception in thread \"main\" it broke | Caused by: the reason",
        Child.lastLines(errors.toString()));
    assertEquals(": 3 | 4 | 5 | 6 | 7", Child.lastLines("1\n2\n3\n4\n5\n6\n7\n"));
    assertEquals("", Child.lastLines("\n \n"));
  }

  /** A database's server has more to remove than its files. */
  @Test
  void whoIsLeftWhenTheLabClosesMayTidyUp() throws Exception {
    Path tidied = folder.resolve("tidied");
    String script = "trap 'echo > %s; exit' TERM; echo ready; while :; do sleep 0.01; done";
    Settings settings = new Settings(1, 10, 0, /* quick= */ true, folder);
    try (Lab lab = new Lab(settings, new PrintWriter(new StringWriter()))) {
      lab.start("sh", List.of("sh", "-c", script.formatted(tidied))).await("ready", 60);
      assertFalse(Files.exists(tidied));
    }
    assertTrue(Files.exists(tidied));
  }
}
