package dev.upcall.bench.blocks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.bench.harness.Sample;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What fio says of a log that it has played. */
class FioReplayTest {
  private static final String REPORT =
      """
      fio: a warning
      {"jobs" : [{"read" : {"total_ios" : 3, "io_bytes" : 16384, "runtime" : 20,
        "lat_ns" : {"mean" : 2000.5, "N" : 3, "percentile" : {"50.000000" : 1500, "99.000000" : 9000}}},
        "write" : {"total_ios" : 2, "io_bytes" : 8192, "runtime" : 25,
        "lat_ns" : {"mean" : 1000, "N" : 2}}}]}
      """;

  private static RecordedTrace trace(long requests, long sectors) {
    Path anywhere = Path.of("trace");
    return new RecordedTrace(anywhere, anywhere, anywhere, requests, sectors);
  }

  @Test
  void ofManyAtOnceTheLastBytesAreNotCounted() throws IOException {
    assertEquals(5, FioReplay.parse(REPORT, trace(5, 56), 4).units());
    assertThrows(IOException.class, () -> FioReplay.parse(REPORT, trace(6, 56), 4));
  }

  @Test
  void readsAndWritesAreCountedTogether() throws IOException {
    Sample sample = FioReplay.parse(REPORT, trace(5, 48), 1);
    assertEquals(5, sample.units());
    assertEquals(0.025, sample.seconds());
    assertEquals(9, sample.p99Micros());
  }

  @Test
  void anotherNumberOfRequestsOrSectorsIsNoSample() {
    IOException requests =
        assertThrows(IOException.class, () -> FioReplay.parse(REPORT, trace(6, 48), 1));
    assertEquals(
        "fio played 5 requests of 48 sectors, the trace has 6 of 48", requests.getMessage());
    assertThrows(IOException.class, () -> FioReplay.parse(REPORT, trace(5, 56), 1));
    IOException none =
        assertThrows(IOException.class, () -> FioReplay.parse("fio: broken", trace(5, 48), 1));
    assertTrue(String.valueOf(none.getMessage()).contains("fio: broken"));
  }
}
