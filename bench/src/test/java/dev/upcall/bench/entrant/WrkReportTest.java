package dev.upcall.bench.entrant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class WrkReportTest {
  private static final String REPORT =
      """
      Running 2s test @ http://127.0.0.1:8091
        1 threads and 64 connections
        Thread Stats   Avg      Stdev     Max   +/- Stdev
          Latency     1.02ms    2.11ms  30.00ms   95.00%
          Req/Sec    80.11k     3.00k   90.00k    60.00%
        Latency Distribution
           50%  635.00us
           75%    1.01ms
           90%    1.20ms
           99%    3.50ms
        160220 requests in 2.10s, 1.25GB read
      Requests/sec:  76295.24
      Transfer/sec:    609.52MB
      """;

  @Test
  void aReport() throws Exception {
    WrkReport report = WrkReport.parse(REPORT);
    assertEquals(160_220, report.requests());
    assertEquals(2.1, report.seconds(), 1e-9);
    assertEquals(635, report.p50Micros(), 1e-9);
    assertEquals(3500, report.p99Micros(), 1e-9);
    assertEquals(List.of(), report.series());
  }

  @Test
  void requestsOfEachSecond() throws Exception {
    assertEquals(List.of(12L, 345L), WrkReport.parse(REPORT + "series 12 345\n").series());
    assertEquals(List.of(), WrkReport.parse(REPORT + "series \n").series());
  }

  @Test
  void failedRequestsAreNoResult() {
    assertThrows(
        IOException.class, () -> WrkReport.parse(REPORT + "  Non-2xx or 3xx responses: 17\n"));
    assertThrows(
        IOException.class,
        () -> WrkReport.parse(REPORT + "  Socket errors: connect 0, read 3, write 0, timeout 0\n"));
    assertThrows(IOException.class, () -> WrkReport.parse("unable to connect\n"));
  }

  @Test
  void thePortOfServe() {
    assertEquals(8081, Server.portIn("{\"url\":\"http://127.0.0.1:8081/\",\"port\":8081}"));
    assertThrows(IllegalArgumentException.class, () -> Server.portIn("{}"));
  }
}
