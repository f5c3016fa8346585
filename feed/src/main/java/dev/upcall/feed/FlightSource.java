package dev.upcall.feed;

import dev.upcall.FsmUpcall;
import dev.upcall.base.Clock;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.FlightRecorder;
import dev.upcall.journal.recording.RecordSource;
import java.nio.ByteBuffer;
import java.util.List;

/** The flight recorder of a store, for those who write its records into files or look at them. */
public final class FlightSource implements RecordSource {
  private final FlightRecorder recorder;
  private final Clock clock;

  private FlightSource(FlightRecorder recorder, Clock clock) {
    this.recorder = recorder;
    this.clock = clock;
  }

  /** That of a store; usable after the store's end, too. */
  public static FlightSource of(FsmUpcall store) {
    return of(store.fileManager().dispatcher());
  }

  /** That of a dispatcher. */
  public static FlightSource of(Dispatcher dispatcher) {
    return new FlightSource(dispatcher.recorder(), dispatcher.clock());
  }

  /** How many records it keeps; 0 when it is off. */
  @Override
  public int recordsKept() {
    return recorder.ring().kept();
  }

  @Override
  public long copySince(long sequence, ByteBuffer to) {
    return recorder.ring().copySince(sequence, to);
  }

  @Override
  public List<String> names() {
    return recorder.names();
  }

  @Override
  public long clockNanos() {
    return clock.monotonicNanos();
  }

  @Override
  public long epochNanos() {
    return clock.epochNanos();
  }
}
