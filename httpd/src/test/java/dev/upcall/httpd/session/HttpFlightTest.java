package dev.upcall.httpd.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.upcall.fsm.Flight;
import dev.upcall.fsm.record.FlightRecord;
import dev.upcall.fsm.record.RecordKind;
import dev.upcall.httpd.BufferLeakCheck;
import dev.upcall.httpd.SessionWorld;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Requests of a connection in the flight recorder. */
@ExtendWith(BufferLeakCheck.class)
class HttpFlightTest {
  private final SessionWorld world = new SessionWorld(1);

  private List<String> ends(RecordKind kind) {
    List<String> names = world.dispatcher.recorder().names();
    return Flight.of(world.dispatcher).stream()
        .filter(one -> one.kind() == kind)
        .map(one -> one.describe(names))
        .map(line -> line.substring(line.indexOf(' ') + 1))
        .toList();
  }

  private List<FlightRecord> moves() {
    return Flight.of(world.dispatcher).stream()
        .filter(one -> one.kind() == RecordKind.TRANSITION && one.request() != 0)
        .toList();
  }

  @Test
  void eachRequestOfAPipelineHasAnIdFromTheSocketToTheAnswer() {
    world.site.file("/a", new byte[100]);
    String request = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n";
    String other = "HEAD /none HTTP/1.1\r\nHost: h\r\n\r\n";
    world.exchange(request + other, 7);
    assertEquals(
        List.of("r2 begins GET by socket", "r4 begins HEAD by socket"), ends(RecordKind.REQUEST));
    assertEquals(
        List.of("r2 ends GET by socket: Done", "r4 ends HEAD by socket: Done"),
        ends(RecordKind.COMPLETION));
    assertEquals(2, moves().stream().map(FlightRecord::request).distinct().count());
    world.close();
  }
}
