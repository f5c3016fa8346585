package dev.upcall.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.upcall.completion.Completion;
import dev.upcall.fsm.Flight;
import dev.upcall.fsm.FlightRecorder;
import dev.upcall.fsm.record.FlightRecord;
import dev.upcall.fsm.record.RecordKind;
import dev.upcall.io.IoClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Whose requests a load serves, as the flight recorder tells it. */
class LoadFlightTest {
  private final BufferWorld w = new BufferWorld(1, 4, 256);
  private final FlightRecorder recorder = w.world.dispatcher().recorder();

  /** Who was current when a read of a request was told. */
  private final Map<Long, Long> told = new TreeMap<>();

  private long read(int first, int blocks) {
    long request = recorder.begin(recorder.name("read"), recorder.name("test"));
    w.buffers.read(
        w.run(first, blocks),
        IoClass.FOREGROUND_READ,
        BufferWorld.OWNER,
        completion -> {
          told.put(request, recorder.current());
          BufferWorld.release(((Completion.Done<List<Lease>>) completion).value());
        });
    return request;
  }

  private List<FlightRecord> of(RecordKind kind) {
    return Flight.of(w.world.dispatcher()).stream().filter(one -> one.kind() == kind).toList();
  }

  @Test
  void aLoadRunsForWhoBeganItAndNamesTheOthersThatWaitForIt() {
    long first = read(8, 4);
    long second = read(9, 2);
    long third = read(8, 1);
    long other = read(20, 1);
    recorder.serve(FlightRecorder.NOBODY);
    w.world.runUntil(() -> told.size() == 4);

    assertEquals(Map.of(first, first, second, second, third, third, other, other), told);
    List<Long> asked = new ArrayList<>();
    of(RecordKind.DISK_REQUEST).forEach(one -> asked.add(one.request()));
    assertEquals(List.of(first, other), asked);
    Set<Long> joined = new TreeSet<>();
    for (FlightRecord join : of(RecordKind.JOIN)) {
      assertEquals("load", recorder.names().get(join.name()));
      assertEquals(first, join.request());
      joined.add(join.number());
    }
    assertEquals(Set.of(second, third), joined);
  }
}
