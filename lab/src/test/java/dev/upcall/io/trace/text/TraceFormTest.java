package dev.upcall.io.trace.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.io.DiskOperation;
import dev.upcall.io.IoClass;
import dev.upcall.io.trace.TraceEntry;
import dev.upcall.io.trace.TraceHeader;
import dev.upcall.io.trace.TraceSource;
import dev.upcall.io.trace.TraceTarget;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class TraceFormTest {
  private static final DiskOperation[] KINDS = {
    DiskOperation.READ,
    DiskOperation.WRITE,
    DiskOperation.DURABLE_WRITE,
    DiskOperation.SYNC,
    DiskOperation.DISCARD,
    DiskOperation.ALLOCATE,
    DiskOperation.SHRINK
  };

  @TempDir Path folder;

  private static List<TraceEntry> trace(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<TraceEntry> trace = new ArrayList<>();
    long now = 1_000_000;
    for (int i = 0; i < 400; i++) {
      now += 1000L * random.nextInt(50_000);
      DiskOperation operation = KINDS[random.nextInt(KINDS.length)];
      boolean isSync = operation == DiskOperation.SYNC;
      trace.add(
          new TraceEntry(
              now,
              operation,
              IoClass.values()[random.nextInt(5)],
              new TraceEntry.Run(
                  isSync ? 0 : random.nextLong(1L << 30), isSync ? 0 : 1 + random.nextInt(300)),
              new TraceEntry.Source(random.nextInt(70_000), 1 + random.nextInt(3), 0)));
    }
    return trace;
  }

  private record Read(List<TraceEntry> entries, String damage) {}

  private static Read read(Path file) throws IOException {
    List<TraceEntry> entries = new ArrayList<>();
    try (TraceSource source = TraceForm.open(file)) {
      for (TraceEntry entry = source.next(); entry != null; entry = source.next()) {
        entries.add(entry);
      }
      return new Read(entries, source.damage());
    }
  }

  private Path written(TraceForm form, List<TraceEntry> trace, String name) throws IOException {
    Path file = folder.resolve(name);
    try (TraceTarget target = form.create(file, new TraceHeader(0, 0, 0), "/dev/some")) {
      for (TraceEntry entry : trace) {
        boolean isKnown =
            form == TraceForm.UPCALL
                || (entry.operation() != DiskOperation.ALLOCATE
                    && entry.operation() != DiskOperation.SHRINK);
        assertEquals(isKnown, target.write(entry));
      }
    }
    return file;
  }

  /** What every form can say: times since the first, places, directions. */
  private static List<String> essence(List<TraceEntry> trace) {
    List<String> lines = new ArrayList<>();
    long began = -1;
    for (TraceEntry entry : trace) {
      if (entry.operation() == DiskOperation.ALLOCATE
          || entry.operation() == DiskOperation.SHRINK) {
        continue;
      }
      began = began < 0 ? entry.timeNanos() : began;
      boolean isDurable = entry.operation() == DiskOperation.DURABLE_WRITE;
      DiskOperation kind = isDurable ? DiskOperation.WRITE : entry.operation();
      lines.add(kind + " " + entry.run() + " " + (entry.timeNanos() - began) / 1000);
      if (isDurable) {
        lines.add("durable");
      }
    }
    return lines;
  }

  @ParameterizedTest
  @EnumSource
  void whatIsWrittenInAFormIsReadAgain(TraceForm form) throws IOException {
    List<TraceEntry> trace = trace(3);
    Path file = written(form, trace, "trace");
    assertEquals(form, TraceForm.ofFile(file));
    Read read = read(file);
    assertEquals("", read.damage());
    if (form == TraceForm.UPCALL) {
      assertEquals(trace, read.entries());
      return;
    }
    List<String> expected = essence(trace);
    List<String> found = essence(read.entries());
    if (form != TraceForm.BLKPARSE) {
      // There the sync of a durable write is a line of its own.
      long durable = expected.stream().filter("durable"::equals).count();
      assertEquals(
          expected.stream().filter(line -> !line.equals("durable")).toList(),
          withoutTheSyncOfEach(found, expected));
      assertEquals(expected.size(), found.size(), durable + " are durable");
    } else {
      assertEquals(expected, found);
      assertEquals(trace.getFirst().source().asker(), read.entries().getFirst().source().asker());
    }
  }

  private static List<String> withoutTheSyncOfEach(List<String> found, List<String> expected) {
    List<String> left = new ArrayList<>();
    for (int i = 0; i < found.size(); i++) {
      if (!expected.get(i).equals("durable")) {
        left.add(found.get(i));
      } else {
        assertTrue(found.get(i).startsWith("SYNC"), found.get(i));
      }
    }
    return left;
  }

  @Test
  void linesOfOthersAreRead() throws IOException {
    Path blkparse =
        write(
            """
              8,0    3        1     0.000000000   697  Q   W 223490 + 8 [kjournald]
              8,0    3        2     0.000001829   697  G   W 223490 + 8 [kjournald]
              8,0    3        7     0.000010000   697  D   W 223488 + 8 [kjournald]
              8,0    3        8     0.000011000   698  D  RA 80 + 24 [cat]
              8,0    3        9     0.000012000   699  D FWFS 7 + 2 [log]
              8,0    3       10     0.000013000     0  D  FN [swapper]
              8,0    3       11     0.000033000     0  C   W 223488 + 8 [0]
              8,0    3       12     0.000053000   699  m   N cfq699 idle
            CPU0 (8,0):
             Reads Queued:           1,        4KiB
            """);
    List<TraceEntry> entries = read(blkparse).entries();
    assertEquals(
        List.of(
            new TraceEntry(
                10_000,
                DiskOperation.WRITE,
                IoClass.BACKGROUND,
                new TraceEntry.Run(27936, 1),
                new TraceEntry.Source(697, 1, 0)),
            new TraceEntry(
                11_000,
                DiskOperation.READ,
                IoClass.READ_AHEAD,
                new TraceEntry.Run(10, 3),
                new TraceEntry.Source(698, 1, 0)),
            new TraceEntry(
                12_000,
                DiskOperation.DURABLE_WRITE,
                IoClass.LOG,
                new TraceEntry.Run(0, 2),
                new TraceEntry.Source(699, 1, 0)),
            new TraceEntry(
                13_000,
                DiskOperation.SYNC,
                IoClass.LOG,
                new TraceEntry.Run(0, 0),
                TraceEntry.Source.UNKNOWN)),
        entries);
    Path iolog =
        write(
            """
            fio version 2 iolog
            /dev/sda add
            /dev/sda open
            /dev/sda read 8192 4096
            /dev/sda wait 250 0
            /dev/sda write 1000 200
            /dev/sda trim 0 8192
            /dev/sda close
            """);
    assertEquals(
        List.of("READ 2+1 0", "WRITE 0+1 250000", "DISCARD 0+2 250000"),
        read(iolog).entries().stream()
            .map(
                entry ->
                    "%s %d+%d %d"
                        .formatted(
                            entry.operation(),
                            entry.run().block(),
                            entry.run().blocks(),
                            entry.timeNanos()))
            .toList());
  }

  private Path write(String text) throws IOException {
    return Files.writeString(Files.createTempFile(folder, "lines", ""), text);
  }

  @ParameterizedTest
  @EnumSource
  void aCutTraceIsReadToItsLastWholeEntry(TraceForm form) throws IOException {
    Path file = written(form, trace(5), "trace");
    byte[] whole = Files.readAllBytes(file);
    List<TraceEntry> all = read(file).entries();
    SplittableRandom random = new SplittableRandom(8);
    for (int i = 0; i < 40; i++) {
      int length = 100 + random.nextInt(whole.length - 100);
      Path cut = Files.write(folder.resolve("cut"), Arrays.copyOf(whole, length));
      Read read = read(cut);
      assertEquals(all.subList(0, read.entries().size()), read.entries());
      String last = new String(whole, length - 1, 1, StandardCharsets.ISO_8859_1);
      boolean isWhole = form == TraceForm.UPCALL ? (length - 64) % 4096 == 0 : last.equals("\n");
      assertEquals(isWhole, read.damage().isEmpty(), read.damage());
      assertTrue(isWhole || read.damage().endsWith(": the file is cut"), read.damage());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "3 | 5 /d read 0 4096;4 /d read 0 4096 | line 3: it is earlier than the one before, by 1 us",
        "3 | 5 /d seek 0 4096 | line 2: 'seek' is no action",
        "3 | 5 /d read 0 | line 2: it has no offset or no length",
        "3 | x /d read 0 4096 | line 2: 'x' is no time in microseconds",
        "3 | 5 /d read -4 4096 | line 2: '-4' is no offset",
        "3 | 5 /d read 0 0 | line 2: 0 bytes at 0 are no place",
        "3 | 5 /d read 9223372036854775807 8 | line 2: 8 bytes at 9223372036854775807 are no place",
        "2 | /d add;/d wait soon | line 3: 'soon' is no time in microseconds",
        "2 | lonely | line 2: '' is no action",
      })
  void whatIsNoEntryOfFioNamesItsLine(int version, String lines, String message)
      throws IOException {
    Path file = write("fio version " + version + " iolog\n" + lines.replace(';', '\n') + "\n");
    refused(file, message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "8,0 1 2 0.000000009 7 D X 8 + 8 [a] | line 2: 'X' is no direction",
        "8,0 1 2 0.000000009 7 D R [a] | line 2: it has no place",
        "8,1 1 2 0.000000009 7 D R 8 + 8 [a] | line 2: it is of device 8,1, those before of 8,0: give",
        "8,0 1 2 0.000000001 7 D R 8 + 8 [a] | line 2: it is earlier than the one before, by 4 ns",
        "8,0 1 2 now 7 D R 8 + 8 [a] | line 2: it is no event of blkparse's default form",
        "8,0 1 2 0.000000009 7 D R 8 + 0 [a] | line 2: 0 bytes at 4096 are no place",
      })
  void whatIsNoEventOfBlkparseNamesItsLine(String line, String message) throws IOException {
    refused(write("8,0 1 1 0.000000005 7 D R 0 + 8 [a]\n" + line + "\n"), message);
  }

  private static void refused(Path file, String message) {
    IOException refused = assertThrows(IOException.class, () -> read(file));
    String said = String.valueOf(refused.getMessage());
    assertTrue(said.startsWith(file + ": " + message), said);
  }

  @Test
  void otherFilesAreNoTraces() throws IOException {
    assertTrue(
        assertThrows(IOException.class, () -> read(write("something\n")))
            .getMessage()
            .contains("it is no block trace"));
    assertTrue(
        assertThrows(IOException.class, () -> read(write("fio version 9 iolog\n")))
            .getMessage()
            .contains("of fio's logs versions 2 and 3 are known"));
    assertThrows(IOException.class, () -> read(write("")));
    assertThrows(IllegalArgumentException.class, () -> TraceForm.of("csv"));
    refused(write("fio version 3 iolog\n" + "x".repeat(5000) + "\n"), "line 2: it is longer than");
  }
}
