package dev.upcall.bench.entrant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.bench.harness.Sample;
import dev.upcall.bench.harness.Timeline;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class FioReportTest {
  private static final String REPORT =
      """
      note: something that fio wanted to say
      {"fio version": "fio-3.33", "jobs": [{
        "jobname": "r", "error": %d, "job_runtime": 2000, "usr_cpu": 10.0, "sys_cpu": 40.0,
        "read": {"total_ios": %d, "runtime": 1000, "clat_ns": {"max": 900000, "percentile":
            {"50.000000": 69120, "99.000000": 168960, "99.900000": 400000}}},
        "write": {"total_ios": %d, "runtime": 500, "clat_ns": {"min": 0}}
      }], "disk_util": [{"name": "vda", "util": 12.5}]}
      """;

  @Test
  void readsOfAJob() throws Exception {
    Sample sample = FioReport.parse(REPORT.formatted(0, 44762, 0));
    assertEquals(44762, sample.perSecond(), 1e-6);
    assertEquals(1, sample.cpuSeconds(), 1e-9);
    assertEquals(69.12, sample.p50Micros(), 1e-9);
    assertEquals(168.96, sample.p99Micros(), 1e-9);
    assertEquals(400, sample.latencies().p999Micros(), 1e-9);
    assertEquals(900, sample.latencies().longestMicros(), 1e-9);
  }

  @Test
  void writesOfAJobWithoutLatencies() throws Exception {
    Sample sample = FioReport.parse(REPORT.formatted(0, 0, 100));
    assertEquals(200, sample.perSecond(), 1e-6);
    assertTrue(Double.isNaN(sample.p50Micros()));
  }

  @Test
  void theLongestOfAStepIsThatOfAllJobs() {
    String log =
        """
        10, 250000, 1, 0, 0
        30, 1500001, 1, 0, 0
        10, 300000, 1, 0, 0
        """;
    assertEquals(new Timeline(10, List.of(300L, 0L, 1501L)), FioReport.peaks(log, 10));
  }

  @Test
  void failuresAreNoSamples() {
    assertThrows(IOException.class, () -> FioReport.parse(REPORT.formatted(5, 1, 1)));
    assertThrows(IOException.class, () -> FioReport.parse("fio: no such file\n"));
    assertThrows(IOException.class, () -> FioReport.parse("{\"jobs\": []}"));
  }
}
