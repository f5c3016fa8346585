package dev.upcall.journal.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.journal.entry.Decoded;
import dev.upcall.journal.entry.Entry;
import dev.upcall.journal.entry.EntryCodec;
import dev.upcall.journal.entry.EntryKind;
import dev.upcall.journal.entry.Origin;
import dev.upcall.journal.queue.EntryQueue.Indexed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A page of a queue's newest file that a loss of power took, each in turn, those of the library's
 * own among them: who appends then is served.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class LostPagesTest {
  private static final int PAGE_BYTES = 4096;
  private static final int SYNCED = 300;
  private static final int BEFORE = 600;

  /** More than twice as many as the library puts into its index at once. */
  private static final int BEHIND = 600;

  private static final int MIXTURES = 30;

  /** Gaps of the newest file are passed after a while. */
  private static final long PAUSE_MILLIS = 2000;

  private final AtomicLong millis = new AtomicLong(1_800_000_000_000L);

  @TempDir Path temporary;

  @Test
  void whoAppendsWhereAPageIsLostIsServed() throws IOException {
    Path original = temporary.resolve("original");
    long end = 0;
    try (EntryQueue queue = open(original)) {
      for (int i = 0; i < BEFORE; i++) {
        end = EntryPlace.position(queue.append(entry(i)));
      }
    }
    List<String> failures = new ArrayList<>();
    for (long page = 0; page * PAGE_BYTES < end; page++) {
      Path folder = copy(original, "page-" + page, end + 2 * PAGE_BYTES);
      lose(Folders.files(folder).getLast(), page);
      try {
        appendAndRead(folder);
      } catch (QueueException | AssertionError failed) {
        failures.add("page " + page + ": " + failed);
      }
    }
    assertEquals(List.of(), failures);
  }

  /** Each page as it was synced, or as it was written later. */
  @Test
  void whatWasSyncedAndWhatIsAppendedThenIsServed() throws IOException {
    Path original = temporary.resolve("original");
    long end = 0;
    byte[] synced;
    byte[] last;
    try (EntryQueue queue = open(original)) {
      for (int i = 0; i < SYNCED; i++) {
        queue.append(entry(i));
      }
      synced = Files.readAllBytes(Folders.files(original).getLast());
      for (int i = SYNCED; i < BEFORE; i++) {
        end = EntryPlace.position(queue.append(entry(i)));
      }
      last = Files.readAllBytes(Folders.files(original).getLast());
    }
    List<String> failures = new ArrayList<>();
    for (int seed = 0; seed < MIXTURES; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Path folder = copy(original, "mixture-" + seed, end + 2 * PAGE_BYTES);
      Path file = Folders.files(folder).getLast();
      double lost = random.nextDouble();
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        for (int at = 0; at < end; at += PAGE_BYTES) {
          byte[] from = random.nextDouble() < lost ? synced : last;
          channel.write(ByteBuffer.wrap(from, at, PAGE_BYTES), at);
        }
      }
      try {
        Set<Long> seen = appendAndRead(folder);
        for (long i = 0; i < SYNCED; i++) {
          assertTrue(seen.contains(i), i + " was synced");
        }
      } catch (QueueException | AssertionError failed) {
        failures.add("seed " + seed + ": " + failed);
      }
    }
    assertEquals(List.of(), failures);
  }

  /** Returns what was served, by sequence. */
  private Set<Long> appendAndRead(Path folder) throws IOException {
    List<Long> appended = new ArrayList<>();
    try (EntryQueue queue = open(folder)) {
      for (int i = 0; i < BEHIND; i++) {
        appended.add(queue.append(entry(BEFORE + i)));
      }
      assertTrue(Folders.files(folder).size() <= 3, "files: " + Folders.files(folder));
      List<Long> served = new ArrayList<>();
      Set<Long> seen = new HashSet<>();
      long last = EntryQueue.NONE;
      for (int tries = 0; tries < 4; tries++) {
        for (Indexed next = queue.next(last); next != null; next = queue.next(last)) {
          last = next.index();
          if (next.damagedBytes() == 0 && EntryCodec.isWhole(next.bytes())) {
            long sequence = sequence(next);
            assertTrue(seen.add(sequence), sequence + " twice");
            if (sequence >= BEFORE) {
              served.add(next.index());
            }
          }
        }
        millis.addAndGet(PAUSE_MILLIS);
      }
      assertEquals(appended, served);
      return seen;
    }
  }

  private static void lose(Path file, long page) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(PAGE_BYTES), page * PAGE_BYTES);
    }
  }

  private static Path copy(Path original, String name, long bytes) throws IOException {
    Path folder = Files.createDirectories(original.resolveSibling(name));
    Path file = Folders.files(original).getLast();
    Files.copy(original.resolve("metadata.cq4t"), folder.resolve("metadata.cq4t"));
    try (FileChannel from = FileChannel.open(file, StandardOpenOption.READ);
        FileChannel to =
            FileChannel.open(
                folder.resolve(file.getFileName()),
                StandardOpenOption.WRITE,
                StandardOpenOption.CREATE_NEW)) {
      from.transferTo(0, bytes, to);
    }
    return folder;
  }

  private static byte[] entry(long sequence) {
    Origin origin = new Origin(new UUID(1, 2), 0, new UUID(3, 4), 5, sequence);
    return EntryCodec.encode(new Entry(origin, EntryKind.REQUEST, 0, 1, new byte[60]));
  }

  private static long sequence(Indexed found) {
    return EntryCodec.decode(found.bytes()) instanceof Decoded.Value<Entry>(Entry entry)
        ? entry.origin().sequence()
        : -1;
  }

  private EntryQueue open(Path folder) throws QueueException {
    return ChronicleEntries.open(folder, 1L << 40, millis::get);
  }
}
