package dev.upcall.journal.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.journal.queue.QueueException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files as files, where the device is whatever the test says. */
class QueueFilesTest {
  private static final int YEAR_2030 = 60 * 365 * 24 * 12;

  private long free = QueueFiles.SPARE_BYTES;
  @TempDir Path folder;

  @Test
  void aDeviceThatIsNearlyFullRefusesUntilThereIsRoom() throws QueueException {
    QueueFiles files = files(1);
    free--;
    assertRefused(Reason.DISK_FULL, files);
    assertRefused(Reason.DISK_FULL, files);
    free++;
    files.admit(1);
  }

  @Test
  void theBoundIsLookedAtAgainAfterSomeBytes() throws IOException {
    QueueFiles files = files(10);
    files.admit(1);
    Files.write(folder.resolve("20260101-0000V.cq4"), new byte[10]);
    files.admit(1);
    assertEquals(
        Reason.BACKLOG_FULL,
        assertThrows(QueueException.class, () -> files.admit(1 << 20)).reason());
    assertRefused(Reason.BACKLOG_FULL, files);
    assertTrue(files.removeBefore(YEAR_2030));
    files.admit(1);
  }

  @Test
  void withoutABoundTheRoomIsLookedAtAgainAfterMore() throws QueueException {
    QueueFiles files = files(Long.MAX_VALUE);
    files.admit(1);
    free--;
    files.admit((1 << 20) - 2);
    assertRefused(Reason.DISK_FULL, files);
  }

  @Test
  void aFolderThatIsGoneIsATypedFailure() throws IOException {
    QueueFiles files = files(1);
    Files.delete(folder);
    assertRefused(Reason.FILES, files);
    assertEquals(Reason.FILES, assertThrows(QueueException.class, files::sync).reason());
    Files.createDirectory(folder);
  }

  @Test
  void whatTheyTakeIsKnownWithoutOpeningThem() throws IOException {
    assertEquals(new QueueUsage(0, 0), files(1).usage());
    Files.write(folder.resolve("20260101-0000V.cq4"), new byte[10]);
    Files.write(folder.resolve("20260101-0005V.cq4"), new byte[20]);
    Files.write(folder.resolve("metadata.cq4t"), new byte[40]);
    assertEquals(new QueueUsage(2, 30), files(1).usage());
    assertEquals(new QueueUsage(2, 30), ChronicleEntries.usage(folder));
    assertEquals(new QueueUsage(0, 0), ChronicleEntries.usage(folder.resolve("none")));
  }

  private QueueFiles files(long maxBytes) {
    return new QueueFiles(folder, ChronicleEntries.ROLL_CYCLE, maxBytes, _ -> free);
  }

  private static void assertRefused(Reason reason, QueueFiles files) {
    assertEquals(reason, assertThrows(QueueException.class, () -> files.admit(1)).reason());
  }
}
