package dev.upcall.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.cli.serve.WarmUp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the launcher lets Java remember of the commands. */
class RehearsalTest {
  @TempDir Path here;

  @Test
  void eachCommandDoesAsItMust() throws IOException {
    Rehearsal.run(here);
    assertEquals("content", Files.readString(here.resolve("out/d/a.txt")));
  }

  @Test
  void aStoreIsServedToClients() throws IOException {
    WarmUp.run(here, Main::run);
    assertTrue(Files.size(here.resolve("crashed.upcall")) > 0);
  }

  @Test
  void whatFailsIsNotRemembered() throws IOException {
    Files.writeString(here.resolve("s.upcall"), "no store");
    assertThrows(IllegalStateException.class, () -> Rehearsal.run(here));
  }
}
