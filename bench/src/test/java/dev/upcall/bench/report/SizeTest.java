package dev.upcall.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.bench.fsm.FsmReportRun;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Settings;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SizeTest {
  @TempDir Path folder;

  private double plannedSeconds(Size size, String only) throws Exception {
    Settings settings = new Settings(2, 10, 0, true, folder);
    try (Lab lab = new Lab(settings, new PrintWriter(Writer.nullWriter()))) {
      return FsmReportRun.of(lab, size, only).plannedSeconds();
    }
  }

  @ParameterizedTest
  @EnumSource(Size.class)
  void thePlanFitsIntoTheTimeThatIsPromised(Size size) throws Exception {
    double planned = plannedSeconds(size, "");
    assertTrue(planned <= size.time().mostSeconds(), size + " takes " + planned + " s");
    double parts = 0;
    for (String only : List.of("1. ", "2. ", "3. ", "4. ", "5. ")) {
      parts += plannedSeconds(size, only) - Workbench.volumeSeconds(size);
    }
    assertEquals(planned, parts + Workbench.volumeSeconds(size), 1e-6);
  }

  @Test
  void aPlanCountsEachSampleAndEachWarmUp() throws Exception {
    // Two cores, two disks; each starts, goes through five loads, warms up, and is sampled 35
    // times.
    double each = Workbench.startSeconds(Size.FULL) + 5 * 0.15 + 15 + 5 * 7 * (0.4 + 0.04);
    assertEquals(
        4 * each, plannedSeconds(Size.FULL, "fake") - Workbench.volumeSeconds(Size.FULL), 1e-6);
  }

  @Test
  void aFullRunMeasuresLongerAndMoreThanAStandardOne() {
    Size.Time full = Size.FULL.time();
    Size.Time standard = Size.STANDARD.time();
    assertTrue(full.repetitions() > standard.repetitions());
    assertTrue(full.sampleMillis() > standard.sampleMillis());
    assertTrue(Size.FULL.web().seconds() > Size.STANDARD.web().seconds());
    assertTrue(
        Size.FULL.load().rewrites().sampleMillis()
            > Size.STANDARD.load().rewrites().sampleMillis());
    assertTrue(Size.FULL.load().inFlight().containsAll(Size.STANDARD.load().inFlight()));
    assertTrue(Size.FULL.web().clients().containsAll(Size.STANDARD.web().clients()));
    assertTrue(Size.FULL.web().keptClients().containsAll(Size.STANDARD.web().keptClients()));
  }
}
