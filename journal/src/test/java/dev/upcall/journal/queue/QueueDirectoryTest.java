package dev.upcall.journal.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.house.Golden;
import dev.upcall.journal.queue.QueueException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Which queue a directory is, if it is one. */
class QueueDirectoryTest {
  private final Random random = new Random(3);
  @TempDir Path temporary;

  @Test
  void aQueueKeepsItsId() throws QueueException {
    QueueDirectory made = QueueDirectory.openOrCreate(folder(), this::id);
    assertEquals(made.id(), QueueDirectory.openOrCreate(folder(), this::id).id());
    assertEquals(made.id(), QueueDirectory.open(folder()).id());
    assertEquals(folder().resolve("requests"), made.requests());
    Path other = temporary.resolve("other");
    assertNotEquals(made.id(), QueueDirectory.openOrCreate(other, this::id).id());
  }

  @Test
  void aGenerationStays() throws Exception {
    QueueDirectory made = QueueDirectory.openOrCreate(folder(), () -> new UUID(1, 2));
    assertEquals(0, made.generation());
    assertEquals(1, made.nextGeneration().generation());
    QueueDirectory again = QueueDirectory.open(folder());
    assertEquals(made.id(), again.id());
    assertEquals(1, again.generation());
    assertEquals(List.of("upcall-queue"), names());
    Golden.check("queue-directory-2", Files.readAllBytes(folder().resolve("upcall-queue")));
  }

  @Test
  void ofManyWhoMakeItOneDoes() throws IOException {
    Set<UUID> ids = ConcurrentHashMap.newKeySet();
    IntStream.range(0, 16)
        .parallel()
        .forEach(
            one -> {
              try {
                ids.add(QueueDirectory.openOrCreate(folder(), () -> new UUID(one, one)).id());
              } catch (QueueException broken) {
                throw new IllegalStateException(broken);
              }
            });
    assertEquals(1, ids.size());
    assertEquals(List.of("upcall-queue"), names());
  }

  @Test
  void aDirectoryThatIsNoQueue() throws IOException {
    assertRefused("is no queue", () -> QueueDirectory.open(folder()));
    Files.createDirectories(folder());
    Files.writeString(folder().resolve("letter"), "dear");
    assertRefused("not empty either", () -> QueueDirectory.openOrCreate(folder(), this::id));
    assertRefused("is no queue", () -> QueueDirectory.open(folder()));
    assertEquals(List.of("letter"), names());
  }

  @Test
  void whatADeadProcessLeftIsNothing() throws IOException {
    Files.createDirectories(folder());
    Files.write(folder().resolve("upcall-queue.new-17"), new byte[3]);
    QueueDirectory.openOrCreate(folder(), this::id);
    assertTrue(names().contains("upcall-queue"));
  }

  @Test
  void aDamagedFileIsNoQueue() throws IOException {
    QueueDirectory.openOrCreate(folder(), this::id);
    Path file = folder().resolve("upcall-queue");
    byte[] good = Files.readAllBytes(file);
    for (int bit = 0; bit < good.length * 8; bit++) {
      byte[] flipped = good.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      Files.write(file, flipped);
      assertRefused("is damaged", () -> QueueDirectory.open(folder()));
    }
    Files.write(file, Arrays.copyOf(good, good.length + 1));
    assertRefused("is damaged", () -> QueueDirectory.open(folder()));
    Files.write(file, Arrays.copyOf(good, good.length - 1));
    assertRefused("is damaged", () -> QueueDirectory.openOrCreate(folder(), this::id));
    assertFalse(Arrays.equals(good, Files.readAllBytes(file)));
  }

  /** Its requests have another form: passing them over would lose what was acknowledged. */
  @Test
  void open_queueOfAnOlderVersion_saysHowToDrainIt() throws IOException {
    Files.createDirectories(folder());
    Files.write(folder().resolve("upcall-queue"), Golden.bytes("queue-directory-1"));
    QueueException refused =
        assertThrows(QueueException.class, () -> QueueDirectory.openOrCreate(folder(), this::id));
    assertEquals(Reason.VERSION, refused.reason());
    String why = String.valueOf(refused.getMessage());
    assertTrue(
        why.contains("older version (1, not 2). Drain it with the release that made it"), why);
    assertEquals(List.of("upcall-queue"), names());
  }

  @Test
  void producersAreKnownByTheirIds() throws IOException {
    QueueDirectory queue = QueueDirectory.openOrCreate(folder(), this::id);
    assertEquals(new TreeMap<>(), queue.producerNames());
    queue.nameProducer(new UUID(1, 2), "one");
    queue.nameProducer(new UUID(1, 1), "two");
    queue.nameProducer(new UUID(1, 2), "one");
    TreeMap<UUID, String> expected = new TreeMap<>();
    expected.put(new UUID(1, 1), "two");
    expected.put(new UUID(1, 2), "one");
    assertEquals(expected, QueueDirectory.open(folder()).producerNames());
    Files.writeString(folder().resolve("names/letter"), "dear");
    assertEquals(Reason.FILES, assertThrows(QueueException.class, queue::producerNames).reason());
  }

  private void assertRefused(String why, Executable open) {
    QueueException refused = assertThrows(QueueException.class, open);
    assertEquals(Reason.NO_QUEUE, refused.reason());
    assertTrue(String.valueOf(refused.getMessage()).contains(why), refused.getMessage());
  }

  private List<String> names() throws IOException {
    try (var found = Files.list(folder())) {
      return found.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private UUID id() {
    return new UUID(random.nextLong(), random.nextLong());
  }

  private Path folder() {
    return temporary.resolve("queue");
  }
}
