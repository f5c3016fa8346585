package dev.upcall.httpd.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.UpcallException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Filter;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class AccessLogTest {
  @TempDir Path folder;

  private static boolean offer(LogRing ring, String line) {
    byte[] bytes = (line + "\n").getBytes(StandardCharsets.US_ASCII);
    return ring.offer(bytes, bytes.length);
  }

  private static void awaitText(Path file, String text) throws Exception {
    while (!Files.exists(file) || !Files.readString(file).equals(text)) {
      Thread.sleep(5);
    }
  }

  @Test
  void linesOfSeveralThreadsAreAppended() throws Exception {
    Path file = folder.resolve("log");
    Files.writeString(file, "before\n");
    AccessLog log = AccessLog.open(file, AccessLog.Format.COMBINED);
    LogRing one = log.newRing();
    LogRing other = log.newRing();
    assertTrue(offer(one, "1"));
    awaitText(file, "before\n1\n");
    assertTrue(offer(other, "2"));
    log.close();
    assertEquals("before\n1\n2\n", Files.readString(file));
  }

  @Test
  void whenTheFileIsRenamedTheLogGoesOnInANewOne() throws Exception {
    Path file = folder.resolve("log");
    AccessLog log = AccessLog.open(file, AccessLog.Format.JSON);
    assertEquals("rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    LogRing ring = log.newRing();
    offer(ring, "1");
    awaitText(file, "1\n");
    Path old = folder.resolve("log.1");
    Files.move(file, old);
    offer(ring, "2");
    awaitText(file, "2\n");
    Files.delete(file);
    offer(ring, "3");
    awaitText(file, "3\n");
    log.close();
    assertEquals("1\n", Files.readString(old));
  }

  @Test
  void whenTheFolderIsAwayForAWhileTheLogGoesOn() throws Exception {
    Path inside = Files.createDirectory(folder.resolve("inside"));
    Path file = inside.resolve("log");
    AccessLog log = AccessLog.open(file, AccessLog.Format.JSON);
    LogRing ring = log.newRing();
    offer(ring, "1");
    awaitText(file, "1\n");
    Path away = folder.resolve("away");
    CompletableFuture<String> said = new CompletableFuture<>();
    Logger logger = Logger.getLogger(AccessLog.class.getName());
    Filter before = logger.getFilter();
    logger.setFilter(warning -> !said.complete(warning.getMessage()));
    try {
      Files.move(inside, away);
      assertTrue(said.join().contains("are lost"), said::join);
    } finally {
      logger.setFilter(before);
    }
    Files.move(away, inside);
    offer(ring, "2");
    awaitText(file, "1\n2\n");
    log.close();
  }

  @Test
  void whenTheFileIsReplacedWhileItIsOpenedTheLogGoesOnInTheNewOne() throws Exception {
    Path file = folder.resolve("log");
    for (int i = 0; i < 300; i++) {
      Files.writeString(file, "");
      AtomicBoolean opens = new AtomicBoolean();
      Thread rotation =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (!opens.get()) {
                      Thread.onSpinWait();
                    }
                    replace(file);
                  });
      opens.set(true);
      AccessLog log = AccessLog.open(file, AccessLog.Format.JSON);
      rotation.join();
      offer(log.newRing(), "1");
      log.close();
      assertEquals("1\n", Files.readString(file), "rotation " + i);
    }
  }

  /** As a program does that rotates logs and makes the new one itself. */
  private static void replace(Path file) {
    try {
      Files.move(file, file.resolveSibling("log.1"), StandardCopyOption.REPLACE_EXISTING);
      Files.createFile(file);
    } catch (IOException made) {
      // The log has made it first.
    }
  }

  @Test
  void aRingThatIsFullTakesNoLineAndLosesNone() throws IOException {
    LogRing ring = new LogRing(16);
    assertTrue(offer(ring, "123456789"));
    assertFalse(offer(ring, "123456"));
    assertTrue(offer(ring, "12345"));
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    LogRing.Sink sink = bytes -> all.writeBytes(copy(bytes));
    ring.drain(sink);
    assertTrue(offer(ring, "abcdefghi"));
    ring.drain(sink);
    assertTrue(offer(ring, "jklmnopq"));
    ring.drain(sink);
    assertEquals(
        "123456789\n12345\nabcdefghi\njklmnopq\n", all.toString(StandardCharsets.US_ASCII));
  }

  private static byte[] copy(ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(copy);
    return copy;
  }

  @Test
  void whatCannotBeWrittenGivesItsRoomBack() throws IOException {
    LogRing ring = new LogRing(16);
    for (int i = 0; i < 3; i++) {
      assertTrue(offer(ring, "123456789"));
      assertThrows(
          IOException.class,
          () ->
              ring.drain(
                  bytes -> {
                    throw new IOException("full");
                  }));
    }
  }

  @Test
  void aRingBetweenTwoThreadsKeepsOrderAndLines() throws Exception {
    LogRing ring = new LogRing(64);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    int[] taken = new int[1];
    Thread writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (int i = 0; i < 20_000; i++) {
                    while (!offer(ring, Integer.toString(i))) {
                      Thread.onSpinWait();
                    }
                    taken[0]++;
                  }
                });
    while (writer.isAlive()) {
      ring.drain(bytes -> all.writeBytes(copy(bytes)));
    }
    ring.drain(bytes -> all.writeBytes(copy(bytes)));
    List<String> lines = all.toString(StandardCharsets.US_ASCII).lines().toList();
    assertEquals(20_000, lines.size());
    for (int i = 0; i < lines.size(); i++) {
      assertEquals(Integer.toString(i), lines.get(i));
    }
  }

  @Test
  void aFileThatCannotBeOpenedIsSaid() {
    UpcallException refused =
        assertThrows(
            UpcallException.class,
            () -> AccessLog.open(folder.resolve("none/log"), AccessLog.Format.JSON));
    assertTrue(refused.getMessage().contains("none/log"), refused.getMessage());
  }
}
