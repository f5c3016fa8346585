package dev.upcall.bench.proxy.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.bench.proxy.disk.DiskCounts;
import dev.upcall.bench.proxy.disk.DiskShape;
import dev.upcall.bench.proxy.trace.RequestTrace;
import dev.upcall.bench.proxy.trace.TraceConfig;
import dev.upcall.bench.proxy.trace.TraceDraw;
import dev.upcall.cli.blocks.BlocksCommand;
import dev.upcall.io.trace.TraceHeader;
import dev.upcall.io.trace.TraceTarget;
import dev.upcall.io.trace.text.TraceForm;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

/** Layouts on traces that can be followed by hand, and what must be so on any. */
class InfiniteRunTest {
  private static final ModelConfig SCALED = ModelConfig.PAPER.scaled();

  /** Objects of 600 and 9,000 bytes; a cache that is empty; memory that holds all. */
  private static final int[] SIZES = {600, 9_000};

  /**
   * Two misses, then two hits in memory, then all is written. Squid: of each directory the inodes,
   * and the block that entries share with the end of the file; the larger has a page behind those
   * of the group's other directories. The others have one directory for both. With a mapped file
   * only the larger is a file. CERN: the entry of the server; inodes and entries of its directory;
   * those of the folder, with the data behind. These inodes were not in memory.
   */
  @ParameterizedTest
  @CsvSource({
    "SQUID, 0, 5, 5, 0",
    "SQUID_L, 0, 3, 3, 0",
    "SQUID_2, 0, 3, 3, 0",
    "SQUID_M, 0, 3, 3, 1",
    "SQUID_ML, 0, 3, 3, 1",
    "SQUID_MLA, 0, 3, 3, 1",
    "CERN, 2, 5, 6, 0"
  })
  void aTinyTrace_writesWhatItMust(
      LayoutKind kind, long reads, long writes, long pages, long mapped) {
    RequestTrace trace = RequestTrace.of(0, SIZES, 0, 1, 0, 1);
    InfiniteResult result = InfiniteRun.of(kind, trace, SCALED.withFlush(4));
    assertEquals(2, result.hits());
    assertEquals(2, result.misses());
    assertEquals(new DiskCounts.Moved(reads, reads, writes, pages), result.counts().files());
    assertEquals(new DiskCounts.Moved(0, 0, mapped, mapped), result.counts().mapped());
  }

  /** Behind 512 bytes a segment of 8 KB crosses a page, unless segments are aligned. */
  @Test
  void alignment_keepsAnObjectInOnePage() {
    RequestTrace trace = RequestTrace.of(0, new int[] {500, 8_000, 8_000}, 0, 1, 2);
    ModelConfig config = SCALED.withFlush(3);
    DiskCounts plain = InfiniteRun.of(LayoutKind.SQUID_ML, trace, config).counts();
    DiskCounts aligned = InfiniteRun.of(LayoutKind.SQUID_MLA, trace, config).counts();
    assertEquals(new DiskCounts.Moved(0, 0, 1, 3), plain.mapped());
    assertEquals(new DiskCounts.Moved(0, 0, 1, 3), aligned.mapped());
    InfiniteResult cold =
        InfiniteRun.of(LayoutKind.SQUID_ML, trace, config.withFlush(1).readingHoles());
    assertEquals(3, cold.counts().mapped().reads(), "each page is read when it is begun");
    assertEquals(3 + 2, cold.counts().mapped().writtenPages(), "two pages are changed twice");
  }

  @ParameterizedTest
  @EnumSource(LayoutKind.class)
  void whatIsCountedTwice_agrees(LayoutKind kind) {
    RequestTrace trace = TraceDraw.draw(TraceConfig.paper(3).scaled());
    long[] told = new long[2];
    InfiniteResult result =
        InfiniteRun.of(
            kind,
            trace,
            SCALED,
            entry -> {
              told[0]++;
              told[1] += entry.run().blocks();
            });
    assertEquals(trace.length() - trace.firstDay(), result.hits() + result.misses());
    DiskCounts.Moved all = result.counts().all();
    assertEquals(all.requests(), told[0]);
    assertEquals(2 * (all.readPages() + all.writtenPages()), told[1], "blocks of 4 KB");
    assertEquals(all.reads(), result.profile().reads().requests());
    assertEquals(2 * all.readPages(), result.profile().reads().blocks());
    assertEquals(all.writes(), result.profile().writes().requests());
    assertEquals(2 * all.writtenPages(), result.profile().writes().blocks());
    assertTrue(result.counts().armsNanos() <= result.counts().oneArmNanos());
    InfiniteResult again = InfiniteRun.of(kind, trace, SCALED);
    assertEquals(result.counts(), again.counts(), "a run can be made again");
    assertEquals(result.shape(), again.shape());
  }

  /** As anybody would measure it. */
  @Test
  void aRunAsABlockTrace_isMeasuredToTheSameFigures(@TempDir Path folder) throws IOException {
    RequestTrace trace = TraceDraw.draw(TraceConfig.paper(3).scaled());
    Path file = folder.resolve("squid-ml.blocks");
    InfiniteResult result;
    try (TraceTarget target = TraceForm.UPCALL.create(file, new TraceHeader(0, 0, 0), "modelled")) {
      result =
          InfiniteRun.of(
              LayoutKind.SQUID_ML,
              trace,
              SCALED,
              entry -> {
                try {
                  target.write(entry);
                } catch (IOException failed) {
                  throw new UncheckedIOException(failed);
                }
              });
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream printed = new PrintStream(out, true, StandardCharsets.UTF_8);
    BlocksCommand blocks =
        new BlocksCommand(
            new BlocksCommand.Surroundings(
                printed, printed, folder, millis -> false, text -> text));
    assertEquals(0, new CommandLine(blocks).execute("stat", "--json", file.toString()));
    String json = out.toString(StandardCharsets.UTF_8);
    DiskCounts.Moved all = result.counts().all();
    assertNotEquals(0, all.reads());
    for (long[] figures :
        new long[][] {{all.reads(), all.readPages()}, {all.writes(), all.writtenPages()}}) {
      assertTrue(json.contains("\"requests\":" + figures[0] + ","), json);
      long sectors = figures[1] * DiskShape.PAGE_BYTES / 512;
      assertTrue(json.contains("\"sectors\":" + sectors + ","), () -> sectors + " in " + json);
    }
  }

  @Test
  void serversAreHashedByFnv() {
    assertEquals(0x811c_9dc5, SquidPlaces.hash(""));
    assertEquals(0xe40c_292c, SquidPlaces.hash("a"));
    assertEquals(
        SquidPlaces.hash("h1.example"), SquidPlaces.hash("H1.EXAMPLE".toUpperCase(Locale.ROOT)));
  }
}
