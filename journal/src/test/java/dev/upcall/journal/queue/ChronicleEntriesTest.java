package dev.upcall.journal.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.journal.entry.EntryCodec;
import dev.upcall.journal.queue.QueueException.Reason;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real queue. */
class ChronicleEntriesTest extends EntryQueueBehaviour {
  private static final long MAX_BYTES = 64 << 20;

  private final AtomicLong millis = new AtomicLong(1_800_000_000_000L);
  @TempDir Path temporary;

  @Override
  protected EntryQueue open() throws QueueException {
    return ChronicleEntries.open(folder(), MAX_BYTES, millis::get);
  }

  @Override
  protected void roll() {
    millis.addAndGet(ChronicleEntries.ROLL_CYCLE.lengthInMillis());
  }

  @Test
  void theBacklogIsBoundedAndRemovingMakesRoom() throws Exception {
    EntryQueue queue = opened();
    byte[] large = new byte[EntryCodec.MAX_ENTRY_BYTES];
    QueueException full =
        assertThrows(
            QueueException.class,
            () -> {
              for (int i = 0; i <= MAX_BYTES / large.length; i++) {
                queue.append(large);
                roll(i);
              }
            });
    assertEquals(Reason.BACKLOG_FULL, full.reason());
    assertEquals(
        Reason.BACKLOG_FULL,
        assertThrows(QueueException.class, () -> queue.append(large)).reason());
    List<String> before = all(queue);
    queue.removeBefore(last(queue));
    assertTrue(all(queue).size() < before.size());
    queue.append(large);
  }

  @Test
  void filesOfSomethingElseAreATypedFailure() throws Exception {
    byte[] noise = new byte[8192];
    new Random(5).nextBytes(noise);
    Files.createDirectories(folder());
    Files.write(folder().resolve("metadata.cq4t"), noise);
    assertEquals(Reason.FILES, assertThrows(QueueException.class, this::opened).reason());
  }

  private void roll(int appended) {
    if (appended % 16 == 15) {
      roll();
    }
  }

  private static long last(EntryQueue queue) throws QueueException {
    long index = EntryQueue.NONE;
    EntryQueue.Indexed found = queue.next(index);
    while (found != null) {
      index = found.index();
      found = queue.next(index);
    }
    return index;
  }

  private Path folder() {
    return temporary.resolve("requests");
  }
}
