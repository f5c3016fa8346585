package dev.upcall.bench.timeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.bench.timeline.Window.Span;
import dev.upcall.fsm.record.FlightRecord;
import dev.upcall.fsm.record.RecordKind;
import dev.upcall.fsm.record.RecordRing;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WorstWindowTest {
  private static final long MILLI = 1_000_000;
  private static final List<String> NAMES =
      List.of("", "DURABLE_WRITE", "LOG", "done", "WriteBack (lambda)");

  private final RecordRing ring = new RecordRing(1024);
  private final WorstWindow worst = new WorstWindow(ring, () -> NAMES, 0);

  private void record(long atNanos, long head, long number, long extra) {
    ring.write(atNanos, 0, head, number, extra, 0);
    ring.publish();
  }

  private void deviceWrites(long number, long beganNanos, long endedNanos) {
    record(beganNanos, FlightRecord.head(RecordKind.DISK_REQUEST, 1, 2, 0), number, 77);
    record(endedNanos, FlightRecord.head(RecordKind.DISK_COMPLETION, 1, 2, 3), number, 77);
  }

  private void create(long beganNanos, long nanos) {
    deviceWrites(beganNanos, beganNanos, beganNanos + nanos / 2);
    worst.called(beganNanos, beganNanos + nanos);
  }

  @Test
  void theWindowWithTheLongestCallIsKept() {
    for (long at = 0; at < 300; at++) {
      create(at * MILLI, MILLI / 2);
    }
    record(498 * MILLI, FlightRecord.head(RecordKind.STALL, 4, 0, 0), 0, 3 * MILLI); // to 501
    record(502 * MILLI, FlightRecord.head(RecordKind.TURN, 0, 0, 0), 9, 4 * MILLI);
    create(497 * MILLI, 6 * MILLI);
    create(504 * MILLI, MILLI / 2);
    for (long at = 800; at < 1200; at++) {
      create(at * MILLI, MILLI);
    }

    Window found = worst.worst();
    assertEquals(6 * MILLI, found.worstNanos());
    assertEquals(List.of(new Span(498 * MILLI, 501 * MILLI, "WriteBack (lambda)")), found.stalls());
    assertEquals(List.of(new Span(498 * MILLI, 502 * MILLI, "9 upcalls")), found.turns());
    Span call = found.slowest(1).getFirst();
    assertEquals(497 * MILLI, call.beganNanos());
    assertEquals(3 * MILLI, Window.longestDuring(call, found.stalls()));
    assertEquals(3 * MILLI, Window.longestDuring(call, found.requests()));
    assertEquals("LOG DURABLE_WRITE", found.requests().getLast().what());
    assertTrue(found.requests().size() >= found.calls().size() - 1);
    assertTrue(found.fromNanos() > 200 * MILLI && found.fromNanos() < 497 * MILLI);
    String page = TimelinePage.of(found, Map.of("kernel", "a & b"));
    assertTrue(page.contains("WriteBack (lambda)") && page.contains("a &amp; b"), page);
    assertEquals(4, page.split("<svg", -1).length, "three drawings");
  }

  @Test
  void whatIsNotOverIsNotDrawn() {
    record(MILLI, FlightRecord.head(RecordKind.DISK_REQUEST, 1, 2, 0), 5, 77);
    worst.called(0, MILLI);
    Window found = worst.worst();
    assertEquals(List.of(), found.requests());
    assertEquals(1, found.calls().size());
    assertFalse(TimelinePage.of(found, Map.of()).contains("NaN"));
  }
}
