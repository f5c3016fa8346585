package dev.upcall.journal.queue;

import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.journal.entry.EntryCodec;
import dev.upcall.journal.queue.QueueException.Reason;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  /** A loss of power may leave a new file its name and its length, and none of its bytes. */
  @Test
  void aFileWithoutItsBeginningIsLeftBehind() throws Exception {
    try (EntryQueue queue = open()) {
      queue.append(new byte[] {1});
      roll();
      queue.append(new byte[] {2});
    }
    try (FileChannel newest = FileChannel.open(Folders.files(folder()).getLast(), WRITE)) {
      long length = newest.size();
      newest.truncate(0);
      newest.write(ByteBuffer.allocate(1), length - 1);
    }
    EntryQueue queue = opened();
    EntryQueue other = opened();
    queue.append(new byte[] {3});
    other.append(new byte[] {4});
    queue.append(new byte[] {5});
    roll();
    other.append(new byte[] {6});
    queue.append(new byte[] {7});
    assertEquals(List.of("1", "3", "4", "5", "6", "7"), firstBytes(other));
    assertEquals(List.of("1", "3", "4", "5", "6", "7"), firstBytes(opened()));
  }

  /** Where who makes a file dies in it, the library puts another one in its place. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whoReadsAFileThatIsMadeAnewReadsTheNewOne(boolean readAtOnce) throws Exception {
    EntryQueue reader = opened();
    long first = reader.append(new byte[] {1});
    RawQueue.dieMaking(folder());
    roll();
    assertEquals(List.of("1"), firstBytes(reader));
    long second = opened().append(new byte[] {2});
    assertEquals(1, Folders.putAside(folder()).size());
    if (readAtOnce) {
      assertEquals(second, reader.next(first).index());
    }
    roll();
    long third = opened().append(new byte[] {3});
    assertEquals(second, reader.next(first).index());
    assertEquals(third, reader.next(second).index());
    reader.removeBefore(third);
    assertEquals(List.of(), Folders.putAside(folder()));
    assertEquals(List.of("3"), firstBytes(reader));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 12})
  void whoseClockIsBehindGoesOnWhereOthersAre(int files) throws Exception {
    EntryQueue behind = opened();
    behind.append(new byte[] {1});
    try (EntryQueue ahead = ahead(files)) {
      ahead.append(new byte[] {2});
      behind.append(new byte[] {3});
      opened().append(new byte[] {4});
      ahead.append(new byte[] {5});
      behind.append(new byte[] {6});
    }
    assertEquals(List.of("1", "2", "3", "4", "5", "6"), firstBytes(behind));
  }

  /** A file between those that are there would be one that readers have passed. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void whoRestedGoesOnWhereOthersAre(int passed) throws Exception {
    EntryQueue rested = opened();
    rested.append(new byte[] {1});
    try (EntryQueue ahead = ahead(3)) {
      ahead.append(new byte[] {2});
      ahead.removeBefore(last(ahead));
      for (int i = 0; i < passed; i++) {
        roll();
      }
      rested.append(new byte[] {3});
    }
    assertEquals(List.of("2", "3"), firstBytes(rested));
  }

  private EntryQueue ahead(int files) throws QueueException {
    long more = files * (long) ChronicleEntries.ROLL_CYCLE.lengthInMillis();
    return ChronicleEntries.open(folder(), MAX_BYTES, () -> millis.get() + more);
  }

  private static List<String> firstBytes(EntryQueue queue) throws QueueException {
    List<String> found = new ArrayList<>();
    EntryQueue.Indexed next = queue.next(EntryQueue.NONE);
    while (next != null) {
      found.add(next.damagedBytes() > 0 ? "damage" : String.valueOf(next.bytes()[0]));
      next = queue.next(next.index());
    }
    return found;
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
