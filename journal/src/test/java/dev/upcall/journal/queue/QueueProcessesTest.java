package dev.upcall.journal.queue;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.upcall.journal.queue.QueueException.Reason;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A queue between processes, some of which are killed. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class QueueProcessesTest {
  private static final int SAID_BEFORE_THE_KILL = 2000;

  @TempDir Path temporary;

  @Test
  void whatAKilledProcessHasAppendedIsThere() throws Exception {
    List<Long> said = new ArrayList<>();
    Process child = child("append");
    try (BufferedReader lines = child.inputReader()) {
      while (said.size() < SAID_BEFORE_THE_KILL) {
        said.add(Long.parseLong(lines.readLine()));
      }
    } finally {
      kill(child);
    }
    try (EntryQueue queue = open()) {
      long last = EntryQueue.NONE;
      for (int number = 0; number < said.size(); number++) {
        EntryQueue.Indexed found = queue.next(last);
        assertNotNull(found, "entry " + number);
        assertEquals(said.get(number), found.index());
        assertEquals(number, ByteBuffer.wrap(found.bytes()).getInt());
        last = found.index();
      }
      long behind = queue.append(new byte[] {1});
      assertArrayEquals(new byte[] {1}, queue.read(behind));
    }
  }

  @Test
  void aLivingHolderIsWaitedForAndADeadOneIsNot() throws Exception {
    Process child = child("hold");
    try {
      assertEquals("held", child.inputReader().readLine());
      try (EntryQueue queue = open()) {
        assertNull(queue.next(EntryQueue.NONE));
        assertEquals(
            Reason.TIMEOUT,
            assertThrows(QueueException.class, () -> queue.append(new byte[] {1})).reason());
        kill(child);
        long index = queue.append(new byte[] {2});
        EntryQueue.Indexed only = queue.next(EntryQueue.NONE);
        assertNotNull(only);
        assertEquals(index, only.index());
        assertArrayEquals(new byte[] {2}, only.bytes());
      }
    } finally {
      kill(child);
    }
  }

  private EntryQueue open() throws QueueException {
    return ChronicleEntries.open(folder(), 1L << 40, System::currentTimeMillis);
  }

  private Process child(String what) throws IOException {
    return ChildJvm.start(ChildJvm.OPENS, QueueChild.class, what, folder());
  }

  private Path folder() {
    return temporary.resolve("queue");
  }

  private static void kill(Process child) throws InterruptedException {
    child.destroyForcibly().waitFor();
  }
}
