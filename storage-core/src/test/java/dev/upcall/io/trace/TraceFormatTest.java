package dev.upcall.io.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.Checksums;
import dev.upcall.house.Golden;
import dev.upcall.io.DiskOperation;
import dev.upcall.io.IoClass;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class TraceFormatTest {
  private static final TraceHeader HEADER = new TraceHeader(0x1234, 1_700_000_000_000_000_000L, 77);

  /** The bytes of a file. */
  private static byte[] file(List<TraceEntry> trace) {
    ByteBuffer bytes = ByteBuffer.allocate(64 + (trace.size() + 1) * TraceFormat.BLOCK_BYTES);
    bytes.put(TraceFormat.header(HEADER));
    TraceChunk chunk = new TraceChunk(2);
    chunk.begin();
    for (TraceEntry entry : trace) {
      if (!chunk.add(entry)) {
        bytes.put(chunk.whole());
        chunk.begin();
        assertTrue(chunk.add(entry));
      }
    }
    bytes.put(chunk.whole());
    return Arrays.copyOf(bytes.array(), bytes.position());
  }

  private record Found(List<TraceEntry> entries, String damage) {}

  private static Found read(byte[] file) throws IOException {
    try (TraceReader reader = TraceReader.of(new ByteArrayInputStream(file), "the file")) {
      List<TraceEntry> entries = new ArrayList<>();
      for (TraceEntry entry = reader.next(); entry != null; entry = reader.next()) {
        entries.add(entry);
      }
      return new Found(entries, reader.damage());
    }
  }

  @Property(tries = 100)
  void whatIsWrittenIsRead(@ForAll long seed, @ForAll @IntRange(max = 700) int entries)
      throws IOException {
    List<TraceEntry> trace = RandomTrace.of(seed, entries);
    assertEquals(new Found(trace, ""), read(file(trace)));
  }

  @Test
  void timesAreRoundedDownAndDoNotAddUp() throws IOException {
    List<TraceEntry> trace = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      trace.add(
          new TraceEntry(
              133L * i,
              DiskOperation.READ,
              IoClass.FOREGROUND_READ,
              new TraceEntry.Run(i, 1),
              TraceEntry.Source.UNKNOWN));
    }
    List<TraceEntry> found = read(file(trace)).entries();
    for (int i = 0; i < 1000; i++) {
      long early = 133L * i - found.get(i).timeNanos();
      assertTrue(early >= 0 && early < TraceFormat.TICK_NANOS, "entry " + i + " by " + early);
    }
  }

  @Test
  void whatDoesNotFitIsTheLargestThatDoes() throws IOException {
    TraceEntry huge =
        new TraceEntry(
            1,
            DiskOperation.DISCARD,
            IoClass.BACKGROUND,
            new TraceEntry.Run(5, 1L << 40),
            new TraceEntry.Source(-1, 1 << 20, 1L << 40));
    TraceEntry found = read(file(List.of(huge))).entries().getFirst();
    assertEquals(new TraceEntry.Run(5, 0xFFFF_FFFFL), found.run());
    assertEquals(new TraceEntry.Source(-1, 0xFFFF, 0xFFFF_FFFFL * 100), found.source());
  }

  @Test
  void theFormIsFixed() {
    List<TraceEntry> trace = new ArrayList<>();
    DiskOperation[] operations = DiskOperation.values();
    for (int i = 0; i < operations.length - 1; i++) {
      boolean isSync = operations[i] == DiskOperation.SYNC;
      trace.add(
          new TraceEntry(
              1_000_000 + 500_000L * i,
              operations[i],
              IoClass.values()[i % 5],
              isSync ? new TraceEntry.Run(0, 0) : new TraceEntry.Run(0x0102030405L + i, 1 + i),
              new TraceEntry.Source(i == 0 ? 0 : 0xA0 + i, 1 + i % 2, 700L * i)));
    }
    Golden.check("block-trace", file(trace));
    assertEquals(TraceFormat.BLOCK_BYTES, 16 + TraceFormat.MAX_ENTRIES * 28 + 20);
  }

  @Test
  void aCutFileIsReadToItsLastWholeBlock() throws IOException {
    List<TraceEntry> trace = RandomTrace.of(3, 900);
    byte[] file = file(trace);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 200; i++) {
      int length = TraceFormat.HEADER_BYTES + random.nextInt(file.length - 64);
      Found found = read(Arrays.copyOf(file, length));
      boolean whole = (length - 64) % TraceFormat.BLOCK_BYTES == 0;
      assertEquals(whole, found.damage().isEmpty(), found.damage());
      assertEquals(trace.subList(0, found.entries().size()), found.entries());
    }
    Found found = read(Arrays.copyOf(file, 64 + 4096 + 17));
    assertEquals("block 2, at byte 4160: the file is cut", found.damage());
    assertTrue(!found.entries().isEmpty() && found.entries().size() <= TraceFormat.MAX_ENTRIES);
    for (int length = 0; length < 64; length++) {
      byte[] headless = Arrays.copyOf(file, length);
      assertThrows(IOException.class, () -> read(headless));
    }
  }

  @Property(tries = 300)
  void aChangedBitEndsTheTraceThere(@ForAll long seed) throws IOException {
    List<TraceEntry> trace = RandomTrace.of(4, 600);
    byte[] file = file(trace);
    SplittableRandom random = new SplittableRandom(seed);
    int at = 64 + random.nextInt(file.length - 64);
    file[at] ^= (byte) (1 << random.nextInt(8));
    Found found = read(file);
    int block = 1 + (at - 64) / TraceFormat.BLOCK_BYTES;
    assertTrue(found.damage().startsWith("block " + block + ", "), found.damage());
    assertEquals(trace.subList(0, found.entries().size()), found.entries());
  }

  @Property(tries = 500)
  void whateverHasARightChecksumIsReadOrRefused(@ForAll long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    byte[] file = file(RandomTrace.of(seed, 200));
    ByteBuffer block =
        ByteBuffer.wrap(file, 64, TraceFormat.BLOCK_BYTES).slice().order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i <= random.nextInt(6); i++) {
      block.put(4 + random.nextInt(400), (byte) random.nextInt());
    }
    block.putInt(0, Checksums.crc32c(block, 4, TraceFormat.BLOCK_BYTES - 4));
    Found found = read(file);
    assertTrue(found.entries().size() <= 200);
    for (TraceEntry entry : found.entries()) {
      assertTrue(entry.run().block() >= 0 && entry.run().blocks() >= 0);
    }
  }

  @Test
  void noOtherFileIsTakenForATrace() {
    byte[] file = file(RandomTrace.of(5, 10));
    for (int at : new int[] {0, 4, 6, 40}) {
      byte[] other = file.clone();
      other[at] ^= 1;
      IOException refused = assertThrows(IOException.class, () -> read(other));
      assertTrue(refused.getMessage().startsWith("the file: "), refused.getMessage());
    }
  }

  @Test
  void anEntryWithoutMeaningSaysWhich() throws IOException {
    byte[] file = file(RandomTrace.of(6, 10));
    ByteBuffer block =
        ByteBuffer.wrap(file, 64, TraceFormat.BLOCK_BYTES).slice().order(ByteOrder.LITTLE_ENDIAN);
    block.put(16 + 3 * 28 + 20, (byte) 9);
    block.putInt(0, Checksums.crc32c(block, 4, TraceFormat.BLOCK_BYTES - 4));
    Found found = read(file);
    assertEquals("block 1, at byte 64: entry 3 is of no known operation", found.damage());
    assertEquals(3, found.entries().size());
    assertFalse(found.entries().isEmpty());
  }
}
