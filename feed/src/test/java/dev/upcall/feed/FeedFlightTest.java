package dev.upcall.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.fsm.Flight;
import dev.upcall.fsm.record.FlightRecord;
import dev.upcall.fsm.record.RecordKind;
import dev.upcall.journal.entry.Entry;
import dev.upcall.journal.entry.EntryCodec;
import dev.upcall.journal.entry.Origin;
import dev.upcall.journal.entry.Samples;
import dev.upcall.journal.queue.EntryQueue;
import dev.upcall.journal.queue.QueueException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a queue asks has an origin of its own in the flight recorder. */
class FeedFlightTest {
  private final QueueModel model = new QueueModel(new UUID(1, 2));
  private final EntryQueue writer = model.storage().open();
  private final FeedFixture fixture = FeedFixture.create(1, model, FeedCanary.NONE);

  private void put(long sequence, String path, int bytes) throws QueueException {
    Origin origin = new Origin(model.id(), 0, new UUID(7, 7), 4711, sequence);
    for (Entry entry : Samples.entries(Samples.put(path, new byte[bytes]), origin, 0)) {
      writer.append(EntryCodec.encode(entry));
    }
  }

  private String name(int number) {
    return fixture.world().dispatcher().recorder().names().get(number);
  }

  /** Ids of the requests that came from the queue, by what they did. */
  private Map<String, Set<Long>> fromTheQueue(List<FlightRecord> flight, RecordKind kind) {
    Map<String, Set<Long>> ids = new HashMap<>();
    for (FlightRecord one : flight) {
      if (one.kind() == kind && name(one.from()).equals("queue")) {
        ids.computeIfAbsent(name(one.name()), _ -> new TreeSet<>()).add(one.request());
      }
    }
    return ids;
  }

  @Test
  void whatAQueueAsksCameFromIt() throws QueueException {
    fixture.feed().begin();
    put(0, "/small", 5);
    put(1, "/large", Entry.MAX_BODY_BYTES);
    fixture.source().poke();
    fixture.runUntilDone();
    List<FlightRecord> flight = Flight.of(fixture.world().dispatcher());

    Map<String, Set<Long>> begun = fromTheQueue(flight, RecordKind.REQUEST);
    assertEquals(Set.of("requests", "content", "flush"), begun.keySet());
    assertEquals(1, begun.getOrDefault("content", Set.of()).size());
    assertEquals(begun, fromTheQueue(flight, RecordKind.COMPLETION));
    Set<Long> groups = begun.getOrDefault("requests", Set.of());
    List<Long> changes = new ArrayList<>();
    for (FlightRecord one : flight) {
      if (one.kind() == RecordKind.REQUEST && name(one.name()).equals("BATCH")) {
        changes.add(one.request());
      }
    }
    assertEquals(2, changes.size());
    assertTrue(groups.containsAll(changes), () -> changes + " of " + groups);
    fixture.close();
  }
}
