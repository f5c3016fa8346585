package dev.upcall.fsm;

import dev.upcall.fsm.record.FlightRecord;
import dev.upcall.fsm.record.RecordRing;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** What a dispatcher's recorder has, read as every reader does. */
public final class Flight {
  private Flight() {}

  /** Shows readers what was recorded in a turn that did not end; the owner's thread. */
  public static void publish(Dispatcher dispatcher) {
    dispatcher.recorder().publish();
  }

  /** All records that are kept, oldest first; the owner's thread. */
  public static List<FlightRecord> of(Dispatcher dispatcher) {
    FlightRecorder recorder = dispatcher.recorder();
    publish(dispatcher);
    ByteBuffer copy = ByteBuffer.allocate(recorder.ring().kept() * RecordRing.RECORD_BYTES);
    recorder.ring().copySince(0, copy);
    List<FlightRecord> records = new ArrayList<>();
    for (int at = 0; at < copy.position(); at += RecordRing.RECORD_BYTES) {
      records.add(FlightRecord.read(copy, at));
    }
    return records;
  }
}
