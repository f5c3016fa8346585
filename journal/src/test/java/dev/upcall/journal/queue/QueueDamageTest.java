package dev.upcall.journal.queue;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.journal.entry.Entry;
import dev.upcall.journal.entry.EntryCodec;
import dev.upcall.journal.entry.EntryKind;
import dev.upcall.journal.entry.Origin;
import dev.upcall.journal.queue.EntryQueue.Indexed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files of a queue that were damaged: each whole entry outside of the damage is served once, in
 * order, and what is not served is told.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class QueueDamageTest {
  private static final int PAGE_BYTES = 4096;
  private static final int FILES = 3;
  private static final int ENTRIES = 40;
  private static final int MUTATIONS = 200;
  private static final int MANY_TRIES = 8;
  private static final long LONG_MILLIS = 200_000;

  /** Many of them begin no new file. */
  private static final long SHORT_MILLIS = 2000;

  private final AtomicLong millis = new AtomicLong(1_800_000_000_000L);

  /** What was appended, and where: by the name of its file. */
  private final Map<String, List<Placed>> placed = new LinkedHashMap<>();

  @TempDir Path temporary;

  /** An entry from its header to its end. */
  private record Placed(long begin, long end, byte[] bytes) {}

  /** Bytes of a file that are not as they were, and by how much those behind them moved. */
  private record Damage(String file, long from, long to) {}

  @BeforeEach
  void makeFiles() throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    try (EntryQueue queue = open(original())) {
      for (int file = 0; file < FILES; file++) {
        List<Placed> of = new ArrayList<>();
        for (int i = 0; i < ENTRIES; i++) {
          byte[] bytes = entry(random, file * ENTRIES + i);
          long begin = EntryPlace.position(queue.append(bytes));
          of.add(new Placed(begin, begin + Integer.BYTES + bytes.length, bytes));
        }
        placed.put(Folders.files(original()).getLast().getFileName().toString(), of);
        millis.addAndGet(ChronicleEntries.ROLL_CYCLE.lengthInMillis());
      }
    }
    assertEquals(FILES, placed.size());
  }

  @Test
  void whatIsWholeOutsideOfTheDamageIsServedOnce() throws IOException {
    for (int seed = 0; seed < MUTATIONS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Path copy = copy("damaged-" + seed);
      Damage damage = damage(copy, random);
      try (EntryQueue queue = open(copy)) {
        List<Indexed> served = all(queue);
        check(seed, damage, served, queue);
        // The same again, from another opening.
        try (EntryQueue again = open(copy)) {
          assertEquals(indexes(served), indexes(all(again)), "seed " + seed);
        }
      }
      delete(copy);
    }
  }

  @Test
  void filesThatAreNotDamagedHaveNoDamage() throws IOException {
    try (EntryQueue queue = open(original())) {
      List<Indexed> served = all(queue);
      assertEquals(FILES * ENTRIES, served.size());
      assertEquals(0, served.stream().filter(each -> each.damagedBytes() > 0).count());
      check(0, new Damage("none", 0, 0), served, queue);
    }
  }

  @Test
  void aGapAtTheBeginningOfTheOnlyFileIsPassedAfterAWhile() throws IOException {
    Path folder = temporary.resolve("one");
    try (EntryQueue writer = open(folder);
        EntryQueue reader = open(folder)) {
      SplittableRandom random = new SplittableRandom(1);
      long lost = writer.append(entry(random, 0));
      byte[] whole = entry(random, 1);
      writer.append(whole);
      RawQueue.damage(folder, lost, new byte[] {-1, -1, -1, 0x3f, 'x'});
      assertNull(reader.next(EntryQueue.NONE));
      millis.addAndGet(LONG_MILLIS);
      Indexed gap = reader.next(EntryQueue.NONE);
      assertEquals(lost, gap.index());
      assertTrue(gap.damagedBytes() > 0);
      assertArrayEquals(whole, reader.next(lost).bytes());
    }
  }

  /** As a loss of power leaves a file that was never synced. */
  @Test
  void manyGapsOfTheNewestFileTakeOneWhile() throws IOException {
    Path folder = temporary.resolve("many");
    List<Long> lost = new ArrayList<>();
    List<Long> whole = new ArrayList<>();
    try (EntryQueue writer = open(folder);
        EntryQueue reader = open(folder)) {
      SplittableRandom random = new SplittableRandom(1);
      for (int i = 0; i < 50; i++) {
        lost.add(writer.append(entry(random, 2 * i)));
        whole.add(writer.append(entry(random, 2 * i + 1)));
      }
      for (long index : lost) {
        RawQueue.damage(folder, index, new byte[Integer.BYTES]);
      }
      assertNull(reader.next(EntryQueue.NONE));
      millis.addAndGet(LONG_MILLIS);
      List<Long> served = new ArrayList<>();
      Indexed next = reader.next(EntryQueue.NONE);
      while (next != null) {
        if (next.damagedBytes() == 0) {
          served.add(next.index());
        }
        next = reader.next(next.index());
      }
      assertEquals(whole, served);
    }
  }

  @Test
  void filesMayBeDamagedUnderTheReader() throws IOException {
    for (int seed = 0; seed < MUTATIONS / 4; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Path copy = copy("under-" + seed);
      try (EntryQueue queue = open(copy)) {
        List<Indexed> served = new ArrayList<>();
        int before = random.nextInt(FILES * ENTRIES);
        long last = EntryQueue.NONE;
        for (int i = 0; i < before; i++) {
          Indexed next = queue.next(last);
          served.add(next);
          last = next.index();
        }
        Damage damage = overwrite(copy, random);
        rest(queue, last, served);
        check(seed, damage, served, queue);
      }
      delete(copy);
    }
  }

  /** The library's files say where their last entry is; it may not have survived. */
  @Test
  void whoAppendsWhereTheLastEntryIsLostIsServed() throws IOException {
    Path folder = temporary.resolve("last");
    SplittableRandom random = new SplittableRandom(1);
    byte[] first = entry(random, 0);
    byte[] added = entry(random, 2);
    try (EntryQueue queue = open(folder)) {
      queue.append(first);
      long lost = queue.append(entry(random, 1));
      RawQueue.damage(folder, lost, new byte[Integer.BYTES]);
    }
    try (EntryQueue queue = open(folder)) {
      queue.append(added);
      List<byte[]> served =
          all(queue).stream().filter(each -> each.damagedBytes() == 0).map(Indexed::bytes).toList();
      assertArrayEquals(new byte[][] {first, added}, served.toArray());
    }
  }

  /** The library goes on where it was when the file was synced, before what a reader passed. */
  @Test
  void whoAppendsWhereThereIsMoreBehindIsServed() throws IOException {
    Path folder = temporary.resolve("more");
    SplittableRandom random = new SplittableRandom(1);
    byte[] synced = entry(random, 0);
    byte[] survived = entry(random, 2);
    byte[] added = entry(random, 3);
    byte[] last = entry(random, 4);
    ByteBuffer beginning = ByteBuffer.allocate(PAGE_BYTES);
    try (EntryQueue queue = open(folder)) {
      queue.append(synced);
      Path file = Folders.files(folder).getLast();
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
        channel.read(beginning, 0);
      }
      long lost = queue.append(new byte[9000]);
      queue.append(survived);
      write(file, EntryPlace.position(lost), new byte[Integer.BYTES + 9000]);
      write(file, 0, beginning.array());
    }
    try (EntryQueue reader = open(folder);
        EntryQueue writer = open(folder);
        EntryQueue other = open(folder)) {
      List<Indexed> served = new ArrayList<>();
      rest(reader, EntryQueue.NONE, served, SHORT_MILLIS);
      writer.append(added);
      other.append(last);
      rest(reader, served.getLast().index(), served, SHORT_MILLIS);
      assertArrayEquals(
          new byte[][] {synced, survived, added, last},
          served.stream().filter(each -> each.damagedBytes() == 0).map(Indexed::bytes).toArray());
    }
  }

  @Test
  void whoAppendsBehindDamageIsServedOrRefused() throws IOException {
    int refused = 0;
    for (int seed = 0; seed < MUTATIONS / 20; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Path copy = copy("appended-" + seed);
      Damage damage = damage(copy, random);
      byte[] added = entry(random, FILES * ENTRIES);
      try (EntryQueue queue = open(copy)) {
        queue.append(added);
        assertTrue(
            all(queue).stream().anyMatch(each -> Arrays.equals(added, each.bytes())),
            "seed %d, %s".formatted(seed, damage));
      } catch (QueueException typed) {
        assertEquals(QueueException.Reason.FILES, typed.reason());
        refused++;
      }
      delete(copy);
    }
    assertTrue(refused < MUTATIONS / 40, refused + " refused");
  }

  private void check(int seed, Damage damage, List<Indexed> served, EntryQueue queue)
      throws IOException {
    String context = "seed %d, %s".formatted(seed, damage);
    List<ByteBuffer> good = new ArrayList<>();
    long last = EntryQueue.NONE;
    for (Indexed each : served) {
      assertTrue(each.index() > last, context);
      last = each.index();
      assertEquals(each.bytes().length == 0, each.damagedBytes() > 0, context);
      if (EntryCodec.isWhole(each.bytes())) {
        good.add(ByteBuffer.wrap(each.bytes()));
      } else if (each.damagedBytes() > 0) {
        assertNull(queue.read(each.index()), context);
      }
    }
    List<ByteBuffer> must = new ArrayList<>();
    List<ByteBuffer> may = new ArrayList<>();
    placed.forEach(
        (file, entries) -> {
          for (Placed entry : entries) {
            boolean isHit =
                file.equals(damage.file())
                    && entry.begin() < damage.to()
                    && entry.end() > damage.from();
            ByteBuffer bytes = ByteBuffer.wrap(entry.bytes());
            may.add(bytes);
            if (!isHit) {
              must.add(bytes);
            }
          }
        });
    assertTrue(may.containsAll(good), context);
    assertEquals(good.stream().distinct().count(), good.size(), context);
    List<ByteBuffer> inOrder = new ArrayList<>(may);
    inOrder.retainAll(good);
    assertEquals(inOrder, good, context);
    for (Indexed each : served) {
      if (must.contains(ByteBuffer.wrap(each.bytes()))) {
        assertArrayEquals(each.bytes(), queue.read(each.index()), context);
      }
    }
    must.removeAll(good);
    assertEquals(List.of(), must, context);
  }

  // ------------------------------------------------------------ damage

  private Damage damage(Path folder, SplittableRandom random) throws IOException {
    return switch (random.nextInt(8)) {
      case 0 -> cut(folder, random);
      case 1 -> removeInTheMiddle(folder, random);
      case 2 -> header(folder, random);
      default -> overwrite(folder, random);
    };
  }

  private Damage overwrite(Path folder, SplittableRandom random) throws IOException {
    Path file = file(folder, random);
    long end = endOf(file);
    long from = random.nextLong(end);
    int length = random.nextInt(3) == 0 ? random.nextInt(20_000) + 1 : random.nextInt(200) + 1;
    byte[] noise = new byte[length];
    switch (random.nextInt(3)) {
      case 0 -> random.nextBytes(noise);
      case 1 -> Arrays.fill(noise, (byte) random.nextInt(256));
      default -> {
        // Zeros, as of a hole.
      }
    }
    return write(file, from, noise);
  }

  /** Of one entry, or of the library's own. */
  private Damage header(Path folder, SplittableRandom random) throws IOException {
    Path file = file(folder, random);
    List<Placed> entries = placed.get(file.getFileName().toString());
    Placed hit = entries.get(random.nextInt(entries.size()));
    int old = hit.bytes().length;
    int header =
        switch (random.nextInt(8)) {
          case 0 -> 0;
          case 1 -> 1 << 31;
          case 2 -> 3 << 30;
          case 3 -> 1 << 30 | random.nextInt(1 << 20);
          case 4 -> old + 4 * random.nextInt(-20, 200);
          case 5 -> random.nextInt(1 << 22);
          default -> random.nextInt();
        };
    byte[] bytes = new byte[Integer.BYTES];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(header);
    return write(file, random.nextInt(20) == 0 ? 0 : hit.begin(), bytes);
  }

  private Damage cut(Path folder, SplittableRandom random) throws IOException {
    Path file = file(folder, random);
    long to = random.nextInt(10) == 0 ? 0 : random.nextLong(endOf(file));
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(to);
    }
    return new Damage(file.getFileName().toString(), to, Long.MAX_VALUE);
  }

  private Damage removeInTheMiddle(Path folder, SplittableRandom random) throws IOException {
    Path file = file(folder, random);
    byte[] all = Files.readAllBytes(file);
    int from = (int) random.nextLong(endOf(file));
    int to = Math.min(all.length, from + 1 + random.nextInt(5000));
    byte[] less = new byte[all.length - (to - from)];
    System.arraycopy(all, 0, less, 0, from);
    System.arraycopy(all, to, less, from, all.length - to);
    Files.write(file, less);
    return new Damage(file.getFileName().toString(), from, to);
  }

  private static Damage write(Path file, long from, byte[] bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(bytes), from);
    }
    return new Damage(file.getFileName().toString(), from, from + bytes.length);
  }

  private Path file(Path folder, SplittableRandom random) throws IOException {
    return Folders.files(folder).get(random.nextInt(FILES));
  }

  private long endOf(Path file) {
    return placed.get(file.getFileName().toString()).getLast().end();
  }

  // ------------------------------------------------------------ the queue

  private static byte[] entry(SplittableRandom random, long sequence) {
    byte[] body = new byte[random.nextInt(10) == 0 ? random.nextInt(9000) : random.nextInt(300)];
    switch (random.nextInt(3)) {
      case 0 -> random.nextBytes(body);
      case 1 -> Arrays.fill(body, (byte) random.nextInt(6));
      default -> {
        // Zeros.
      }
    }
    Origin origin = new Origin(new UUID(1, 2), 0, new UUID(3, 4), 5, sequence);
    return EntryCodec.encode(new Entry(origin, EntryKind.REQUEST, 0, 1, body));
  }

  private List<Indexed> all(EntryQueue queue) throws IOException {
    List<Indexed> served = new ArrayList<>();
    rest(queue, EntryQueue.NONE, served);
    return served;
  }

  /** Behind gaps of the newest file it looks after a while. */
  private void rest(EntryQueue queue, long behind, List<Indexed> served) throws IOException {
    rest(queue, behind, served, LONG_MILLIS);
  }

  private void rest(EntryQueue queue, long behind, List<Indexed> served, long pauseMillis)
      throws IOException {
    long last = behind;
    for (int tries = 0; tries < MANY_TRIES; tries++) {
      for (Indexed next = queue.next(last); next != null; next = queue.next(last)) {
        served.add(next);
        last = next.index();
      }
      millis.addAndGet(pauseMillis);
    }
  }

  private static List<Long> indexes(List<Indexed> served) {
    return served.stream().map(Indexed::index).toList();
  }

  private EntryQueue open(Path folder) throws QueueException {
    return ChronicleEntries.open(folder, 1L << 40, millis::get);
  }

  private Path original() {
    return temporary.resolve("original");
  }

  /** Without what is behind the last entry, mostly: the files are large and empty there. */
  private Path copy(String name) throws IOException {
    Path copy = Files.createDirectories(temporary.resolve(name));
    Files.copy(original().resolve("metadata.cq4t"), copy.resolve("metadata.cq4t"));
    for (Path file : Folders.files(original())) {
      try (FileChannel from = FileChannel.open(file, StandardOpenOption.READ);
          FileChannel to =
              FileChannel.open(
                  copy.resolve(file.getFileName()),
                  StandardOpenOption.WRITE,
                  StandardOpenOption.CREATE_NEW)) {
        from.transferTo(0, endOf(file) + 4096, to);
      }
    }
    return copy;
  }

  private static void delete(Path folder) throws IOException {
    for (Path file : Folders.files(folder)) {
      Files.delete(file);
    }
    Files.delete(folder.resolve("metadata.cq4t"));
    Files.delete(folder);
  }
}
