package dev.upcall.bench.blocks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.bench.host.MissingPeerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The setting of a device, over a file of the test. */
class KernelSchedulerTest {
  @TempDir private Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("scheduler"), text);
  }

  @Test
  void whatWasSetIsPutBack() throws IOException {
    Path file = file("none [mq-deadline] kyber bfq\n");
    try (KernelScheduler.Set _ = new KernelScheduler("sda", file).set("bfq")) {
      assertEquals("bfq", Files.readString(file));
    }
    assertEquals("mq-deadline", Files.readString(file));
  }

  @Test
  void itIsPutBackAfterAFailure() throws IOException {
    Path file = file("[none] bfq\n");
    assertThrows(
        IllegalStateException.class,
        () -> {
          try (KernelScheduler.Set _ = new KernelScheduler("sda", file).set("bfq")) {
            throw new IllegalStateException("a broken sample");
          }
        });
    assertEquals("none", Files.readString(file));
  }

  @Test
  void whereItCannotBeSetThatIsSaid() throws IOException {
    Path file = file("[none] mq-deadline\n");
    refused(
        new KernelScheduler("sda", file), "the kernel offers none, mq-deadline for sda, not bfq");
    refused(
        new KernelScheduler("", null),
        "the scheduler of this folder cannot be set: the kernel shows no device with one");
    refused(
        new KernelScheduler("sda", folder.resolve("missing")),
        "the scheduler of sda cannot be set: the kernel shows no device with one");
    assertEquals("[none] mq-deadline\n", Files.readString(file), "untouched");
  }

  @Test
  void oneThatNamesNoPresentOneIsLeftAlone() throws IOException {
    Path file = file("none bfq\n");
    IOException odd =
        assertThrows(IOException.class, () -> new KernelScheduler("sda", file).set("bfq"));
    assertTrue(String.valueOf(odd.getMessage()).endsWith("names no present scheduler: none bfq"));
    assertEquals("none bfq\n", Files.readString(file));
  }

  private static void refused(KernelScheduler scheduler, String message) {
    MissingPeerException refused =
        assertThrows(MissingPeerException.class, () -> scheduler.check("bfq"));
    assertEquals(message, refused.getMessage());
  }
}
