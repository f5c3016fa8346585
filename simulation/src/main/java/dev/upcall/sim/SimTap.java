package dev.upcall.sim;

import dev.upcall.base.Invariants;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.FlightRecorder;
import dev.upcall.fsm.record.RecordRing;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes all that the flight recorders of consecutive machines record, before it is overwritten. One
 * thread, that of the machines.
 */
public final class SimTap {
  private static final int RECORDS_AT_ONCE = 1024;

  private final Sink sink;
  private final ByteBuffer copy =
      ByteBuffer.allocate(RECORDS_AT_ONCE * RecordRing.RECORD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private @Nullable Dispatcher dispatcher;
  private int machine;
  private long next;

  /** Gets what is taken. */
  @FunctionalInterface
  public interface Sink {
    /**
     * The next records, in their order and without a gap.
     *
     * @param machine which machine's: 1 is the first
     * @param names all that they mention, by their numbers
     * @param records little-endian, from its position 0 to the limit; only for this call
     */
    void took(int machine, List<String> names, ByteBuffer records);
  }

  /** A tap at no machine. */
  public SimTap(Sink sink) {
    this.sink = sink;
  }

  /** The next machine starts; nothing more comes of the one before. */
  void started(Dispatcher of) {
    end();
    machine++;
    next = 0;
    dispatcher = of;
  }

  /** The machine has made a turn. */
  void turned() {
    Dispatcher of = dispatcher;
    if (of != null) {
      take(of.recorder());
    }
  }

  /** Takes the rest, of a turn that failed too. Nothing more comes of the machine. */
  public void end() {
    Dispatcher of = dispatcher;
    if (of != null) {
      of.recorder().publish();
      take(of.recorder());
      dispatcher = null;
    }
  }

  private void take(FlightRecorder recorder) {
    while (next < recorder.ring().published()) {
      long asked = next;
      next = recorder.ring().copySince(asked, copy.clear());
      int copied = copy.position() / RecordRing.RECORD_BYTES;
      Invariants.check(next == asked + copied, "records overwritten before they were taken", asked);
      sink.took(machine, recorder.names(), copy.flip());
    }
  }
}
