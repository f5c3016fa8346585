package dev.upcall.journal.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.journal.recording.RecordingEntry.Origin;
import dev.upcall.journal.recording.RecordingEntry.Records;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of which something is damaged or cut off: the rest is read. */
class RecordingDamageTest {
  private static final UUID RUN = new UUID(7, 7);
  private static final int ENTRIES = 40;
  private static final int RECORDS = 9;

  @TempDir Path here;

  @Test
  void damageAnywhereCostsTheEntriesThatItIsIn() throws IOException {
    byte[] good = file();
    int entryBytes =
        IntStream.range(0, ENTRIES).map(entry -> entry(entry).length).min().orElseThrow();
    Random random = new Random(31);
    for (int round = 0; round < 500; round++) {
      byte[] bytes = good.clone();
      int from = random.nextInt(bytes.length);
      int length = Math.min(1 + random.nextInt(600), bytes.length - from);
      for (int at = from; at < from + length; at++) {
        bytes[at] ^= (byte) (1 + random.nextInt(255));
      }
      int mostHit = (length + entryBytes - 2) / (entryBytes + 8) + 1;
      Found found = read(bytes);
      assertTrue(found.records >= (long) (ENTRIES - mostHit) * RECORDS, "round " + round);
      assertTrue(found.damaged <= mostHit + 1, "round " + round + ": " + found);
      assertTrue(found.records + found.missing <= (long) ENTRIES * RECORDS, "round " + round);
    }
  }

  @Test
  void aFileThatWasCutIsReadUpToThere() throws IOException {
    byte[] good = file();
    long before = 0;
    for (int length = 0; length <= good.length; length += 13) {
      Found found = read(Arrays.copyOf(good, length));
      assertTrue(found.records >= before && found.missing == 0, "of " + length);
      before = found.records;
      assertTrue(found.damaged <= 1, "of " + length + ": " + found);
    }
    assertEquals(new Found((long) ENTRIES * RECORDS, 0, 0), read(good));
  }

  @Test
  void anEntryThatAKilledProcessHadBegunIsCounted() throws IOException {
    byte[] good = file();
    byte[] torn = Arrays.copyOf(good, good.length + 4096);
    byte[] begun = entry(ENTRIES);
    System.arraycopy(begun, 0, torn, good.length, begun.length / 2);
    assertEquals(new Found((long) ENTRIES * RECORDS, 0, 1), read(torn));
  }

  @Property(tries = 300, seed = "5")
  void anyBytesAreAFile(@ForAll byte[] bytes) throws IOException {
    Path file = Files.createTempFile("upcall", ".cq4");
    try {
      Files.write(file, bytes);
      assertEquals(List.of(), RecordingReader.runs(file));
    } finally {
      Files.delete(file);
    }
  }

  /** What a file was read as. */
  private record Found(long records, long missing, long damaged) {}

  private Found read(byte[] bytes) throws IOException {
    Path file = here.resolve("file.cq4");
    Files.write(file, bytes);
    RecordingReader reader = new RecordingReader(file, RUN);
    long[] count = {0};
    reader.read(records -> count[0] += records.count());
    return new Found(count[0], reader.missing(), reader.damaged());
  }

  /** Entries among other bytes, as the library that writes them leaves some. */
  private static byte[] file() {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.writeBytes(new byte[132]);
    for (int entry = 0; entry < ENTRIES; entry++) {
      file.writeBytes(new byte[4 + entry % 5]);
      file.writeBytes(entry(entry));
    }
    return file.toByteArray();
  }

  private static byte[] entry(int number) {
    byte[] records = new byte[RECORDS * RecordingEntry.RECORD_BYTES];
    Arrays.fill(records, (byte) (number + 1));
    Origin origin = new Origin(RUN, number, number);
    return RecordingCodec.encode(
        new Records(origin, (long) number * RECORDS, ByteBuffer.wrap(records)));
  }
}
