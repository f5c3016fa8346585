package dev.upcall.bench.timeline;

import dev.upcall.fsm.record.FlightRecord;
import dev.upcall.fsm.record.RecordKind;
import dev.upcall.fsm.record.RecordRing;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Keeps the window with the longest call of all that it is told of. It holds the records of two
 * windows and of the best one; asked often enough, the recorder forgets none before. One thread.
 */
final class WorstWindow {
  /** A quarter of a second. */
  static final long WINDOW_NANOS = 250_000_000;

  private static final Set<RecordKind> LOOKED_AT =
      EnumSet.of(
          RecordKind.TURN, RecordKind.STALL, RecordKind.DISK_REQUEST, RecordKind.DISK_COMPLETION);

  private static final int COPIED = 4096;

  /** So often, in calls, the records are taken over. */
  private static final int TAKEN_EVERY = 512;

  private final RecordRing ring;
  private final Supplier<List<String>> names;
  private final ByteBuffer copy = ByteBuffer.allocate(COPIED * RecordRing.RECORD_BYTES);
  private final List<FlightRecord> records = new ArrayList<>();
  private final List<Window.Span> calls = new ArrayList<>();
  private long next;
  private long fromNanos;
  private Window worst = new Window(0, List.of(), List.of(), List.of(), List.of());

  /**
   * Begins at a moment.
   *
   * @param names of the recorder, as they are when it is asked
   */
  WorstWindow(RecordRing ring, Supplier<List<String>> names, long fromNanos) {
    this.ring = ring;
    this.names = names;
    this.fromNanos = fromNanos;
    this.next = ring.published();
  }

  /** A call has ended; they come in the order in which they end. */
  void called(long beganNanos, long endedNanos) {
    calls.add(new Window.Span(beganNanos, endedNanos, "create"));
    if (endedNanos - fromNanos >= WINDOW_NANOS) {
      turnOver(endedNanos);
    } else if (calls.size() % TAKEN_EVERY == 0) {
      takeRecords();
    }
  }

  /** The worst one so far, the present one included. */
  Window worst() {
    keepWorse();
    return worst;
  }

  private void turnOver(long endedNanos) {
    keepWorse();
    fromNanos = endedNanos;
    calls.clear();
    records.removeIf(record -> record.atNanos() < fromNanos);
  }

  private void keepWorse() {
    takeRecords();
    if (calls.stream().mapToLong(Window.Span::nanos).max().orElse(0) > worst.worstNanos()) {
      worst = Window.of(fromNanos, calls, records, names.get());
    }
  }

  private void takeRecords() {
    for (long end = ring.published(); next < end; ) {
      next = ring.copySince(next, copy.clear());
      for (int at = 0; at < copy.position(); at += RecordRing.RECORD_BYTES) {
        FlightRecord record = FlightRecord.read(copy, at);
        if (LOOKED_AT.contains(record.kind())) {
          records.add(record);
        }
      }
    }
  }
}
