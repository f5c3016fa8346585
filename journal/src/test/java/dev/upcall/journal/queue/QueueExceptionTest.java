package dev.upcall.journal.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.upcall.journal.queue.QueueException.Reason;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

/** Messages about files that cannot be used: the host's reason, and no names of Java's. */
class QueueExceptionTest {
  private static void says(String words, Exception broken) {
    QueueException said = QueueException.files("open failed", broken);
    assertEquals("open failed: " + words, said.getMessage());
    assertEquals(Reason.FILES, said.reason());
    assertSame(broken, said.getCause());
  }

  @Test
  void files_refusedByTheHost_saysWhatItSays() {
    says("/q/names: permission denied", new AccessDeniedException("/q/names"));
    says("/q/names does not exist", new NoSuchFileException("/q/names"));
    says(
        "/q/names: Read-only file system",
        new FileSystemException("/q/names", null, "Read-only file system"));
  }

  @Test
  void files_refusedBelowOthers_saysWhatTheHostSays() {
    FileNotFoundException host = new FileNotFoundException("/q/m.cq4t (Read-only file system)");
    says(
        "/q/m.cq4t (Read-only file system)",
        new IllegalStateException(new UncheckedIOException(host)));
    says("/q: permission denied", new DirectoryIteratorException(new AccessDeniedException("/q")));
    says("Input/output error", new IOException("Input/output error"));
  }

  @Test
  void files_refusedByNoHost_saysWhy() {
    says("Can't append to it", new IllegalStateException("Can't append to it"));
    says("java.lang.IllegalStateException", new IllegalStateException());
  }

  @Test
  void files_whichTheHostNames_areNamedOnce() {
    QueueException said = QueueException.files("/q", new AccessDeniedException("/q/upcall-queue"));
    assertEquals("/q/upcall-queue: permission denied", said.getMessage());
  }

  @Test
  void files_ofWhatIsSaidAlready_isThat() {
    QueueException known = new QueueException(Reason.DISK_FULL, "full", null);
    assertSame(known, QueueException.files("open failed", known));
  }
}
