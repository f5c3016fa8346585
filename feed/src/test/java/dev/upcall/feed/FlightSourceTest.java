package dev.upcall.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.upcall.fsm.record.FlightRecord;
import dev.upcall.fsm.record.RecordKind;
import dev.upcall.fsm.record.RecordRing;
import dev.upcall.journal.recording.RecordingEntry;
import dev.upcall.journal.trace.TraceKind;
import dev.upcall.journal.trace.TraceRecord;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What the store records is what recordings say: they know nothing of each other. */
class FlightSourceTest {
  @Test
  void recordsAreReadAsTheyWereWritten() {
    assertEquals(RecordRing.RECORD_BYTES, RecordingEntry.RECORD_BYTES);
    Random random = new Random(43);
    for (int round = 0; round < 2000; round++) {
      RecordKind kind = RecordKind.values()[round % RecordKind.values().length];
      long head =
          FlightRecord.head(
              kind, random.nextInt(1 << 16), random.nextInt(1 << 16), random.nextInt(1 << 16));
      ByteBuffer bytes =
          ByteBuffer.allocate(RecordRing.RECORD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
      bytes.putLong(random.nextLong()).putLong(id(random)).putLong(head);
      bytes.putLong(id(random)).putLong(random.nextLong()).putLong(random.nextLong());
      FlightRecord written = FlightRecord.read(bytes, 0);
      assertEquals(
          new TraceRecord(
              written.atNanos(),
              written.request(),
              TraceKind.valueOf(kind.name()),
              written.name(),
              written.from(),
              written.to(),
              written.number(),
              written.extra(),
              written.more()),
          TraceRecord.read(bytes, 0));
      assertEquals(FlightRecord.idName(written.request()), TraceRecord.idName(written.request()));
      assertEquals(
          FlightRecord.isBackground(written.request()),
          TraceRecord.isBackground(written.request()));
    }
    assertEquals(RecordKind.values().length + 1, TraceKind.values().length);
  }

  /** Of a request, or of work in the background. */
  private static long id(Random random) {
    long number = random.nextInt(1 << 30);
    return random.nextBoolean() ? number : FlightRecord.background(number);
  }
}
