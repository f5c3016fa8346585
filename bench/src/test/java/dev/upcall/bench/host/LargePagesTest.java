package dev.upcall.bench.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.bench.harness.Comparison;
import dev.upcall.bench.harness.Contest;
import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Figure;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Machine;
import dev.upcall.bench.harness.Outcome;
import dev.upcall.bench.harness.Role;
import dev.upcall.bench.harness.Running;
import dev.upcall.bench.harness.Sample;
import dev.upcall.bench.harness.Settings;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LargePagesTest {
  /** 512 small pages alone, and one piece of 2 MiB: half and half. */
  private static final String BUDDIES =
      """
      Node 0, zone      DMA     12     0     0     0     0     0     0     0     0     0     0
      Node 0, zone   Normal    500     0     0     0     0     0     0     0     0     1     0
      """;

  private static final String PROCESS =
      """
      00010000-7ffff000 ---p 00000000 00:00 0                    [rollup]
      Rss:              204800 kB
      Pss_Anon:         153600 kB
      AnonHugePages:     65536 kB
      """;

  @TempDir private Path folder;
  private LargePages pages = LargePages.KERNEL;

  @BeforeEach
  void aKernel() throws IOException {
    Path settings = Files.createDirectories(folder.resolve("settings"));
    Path processes = Files.createDirectories(folder.resolve("processes"));
    pages = new LargePages(processes, settings);
    Files.writeString(settings.resolve("enabled"), "always [madvise] never\n");
    Files.writeString(settings.resolve("hpage_pmd_size"), "2097152\n");
    Files.writeString(processes.resolve("buddyinfo"), BUDDIES);
    Files.createDirectories(processes.resolve("4711"));
    Files.writeString(processes.resolve("4711/smaps_rollup"), PROCESS);
  }

  @Test
  void freeMemory_isToldByPiecesThatLargePagesFit() {
    assertEquals("50 % in pieces of at least 2048 KiB, of 0.0 GiB", pages.freeMemory());
  }

  @Test
  void freeMemory_withSmallPagesOf64Kib_countsTheirOrders() throws IOException {
    Path own = Files.createDirectories(pages.processes().resolve("self"));
    Files.writeString(own.resolve("smaps"), "Size: 64 kB\nKernelPageSize:       64 kB\n");
    Files.writeString(
        pages.processes().resolve("buddyinfo"), "Node 0, zone Normal 32 0 0 0 0 3 0\n");
    assertEquals("75 % in pieces of at least 2048 KiB, of 0.0 GiB", pages.freeMemory());
  }

  @Test
  void mode_isTheOneInBrackets() {
    assertEquals("madvise", pages.mode());
  }

  @Test
  void process_isToldByItsLargePages() {
    assertEquals("64 of 200 MiB of its memory in large pages", pages.of(4711));
    assertEquals("", pages.of(4712), "one that has ended");
  }

  @Test
  void kernelThatTellsNothing_isUnknown() {
    LargePages none = new LargePages(folder.resolve("none"), folder.resolve("none"));
    assertEquals("unknown", none.mode());
    assertEquals("unknown", none.freeMemory());
    assertFalse(none.compact(), "nothing to write to");
  }

  @Test
  void compact_writesWhereTheKernelLooks() throws IOException {
    Path vm = Files.createDirectories(pages.processes().resolve("sys/vm"));
    assertTrue(pages.compact());
    assertEquals("1", Files.readString(vm.resolve("compact_memory")));
  }

  @Test
  void contest_compactsBeforeAnEntrantStarts_andTellsOfItsProcess() throws Exception {
    Path vm = Files.createDirectories(pages.processes().resolve("sys/vm"));
    StringWriter said = new StringWriter();
    boolean[] before = {false};
    Entrant entrant =
        new Entrant(
            "a",
            Role.OURS,
            _ -> {
              before[0] = Files.exists(vm.resolve("compact_memory"));
              return new OfProcess(4711);
            });
    Settings settings = new Settings(1, 10, 10, false, folder);
    try (Lab lab = new Lab(settings, new PrintWriter(said), pages)) {
      assertTrue(Files.deleteIfExists(vm.resolve("compact_memory")), "also when the lab opens");
      Comparison comparison =
          new Comparison("test", "a title", Figure.perSecond("things"), List.of(entrant));
      Outcome outcome = new Contest(lab).run(comparison);
      assertTrue(before[0], "compacted first");
      String note = outcome.rows().getFirst().note();
      assertTrue(note.contains("64 of 200 MiB of its memory in large pages"), note);
      assertTrue(said.toString().contains("free memory: 50 % in pieces of"), said::toString);
    }
  }

  @Test
  void machine_isDescribedWithItsFreeMemory() throws Exception {
    Settings settings = new Settings(1, 10, 10, true, folder);
    try (Lab lab = new Lab(settings, new PrintWriter(new StringWriter()), pages)) {
      Map<String, String> facts = Machine.describe(lab);
      assertEquals(pages.freeMemory(), facts.get("free memory"));
      assertEquals("madvise", facts.get("large pages"));
    }
  }

  /** An entrant whose work is a process's. */
  private record OfProcess(long pid) implements Running {
    @Override
    public Sample measure() {
      return Sample.of(1, 1, 1);
    }

    @Override
    public OptionalLong process() {
      return OptionalLong.of(pid);
    }

    @Override
    public void close() {
      // Nothing was started.
    }
  }
}
