package dev.upcall.fsm;

import dev.upcall.base.Invariants;
import dev.upcall.fsm.meter.DispatcherMetrics;
import dev.upcall.fsm.wakeup.DespiteFullHeap;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Why a dispatcher stopped by itself: written down even where that is because there is no memory,
 * since all who wait are told the reason. Owner's thread, but for {@link #failure}.
 */
final class DispatcherEnd {
  private static final int WAITING_UPCALLS_NAMED = 32;
  private static final int MEMORY_BYTES = 64 << 10;

  static {
    // Loaded while there is memory.
    DespiteFullHeap.run(DispatcherStoppedException::load);
  }

  private final TurnMeter meter;
  private final UpcallFifo fifo;
  private final Supplier<DispatcherMetrics> metrics;
  private final DispatcherMetrics atFirst;
  private final Runnable describing = this::describe;

  /** Given up for the end, which takes some. */
  @SuppressWarnings("UnusedVariable") // it is there to be let go of
  private byte @Nullable [] memory = new byte[MEMORY_BYTES];

  private @Nullable Throwable error;
  private volatile @Nullable DispatcherFailure failure;

  /**
   * There is no end yet.
   *
   * @param metrics the counters now
   */
  DispatcherEnd(TurnMeter meter, UpcallFifo fifo, Supplier<DispatcherMetrics> metrics) {
    this.meter = meter;
    this.fifo = fifo;
    this.metrics = metrics;
    this.atFirst = metrics.get();
  }

  /** The reason of the end, if there is one. Any thread. */
  Optional<DispatcherFailure> failure() {
    return Optional.ofNullable(failure);
  }

  /** An upcall has thrown. */
  void comesOf(Throwable thrown) {
    memory = null;
    error = thrown;
    DespiteFullHeap.run(describing);
  }

  private void describe() {
    Throwable thrown = Invariants.present(error, "what has ended the dispatcher");
    if (failure == null) {
      failure = failure("unknown", thrown, List.of(), List.of(), atFirst);
    }
    try {
      List<String> waiting =
          IntStream.range(0, Math.min(fifo.size(), WAITING_UPCALLS_NAMED))
              .mapToObj(i -> TurnMeter.nameOf(fifo.target(i)))
              .toList();
      List<String> lines = meter.recorder().lastLines();
      failure = failure(meter.running(), thrown, lines, waiting, metrics.get());
    } catch (Throwable incomplete) {
      // The reason is told without the rest: without memory classes cannot even be loaded.
      if (incomplete != thrown) {
        thrown.addSuppressed(incomplete);
      }
    }
  }

  private DispatcherFailure failure(
      String culprit,
      Throwable thrown,
      List<String> lines,
      List<String> waiting,
      DispatcherMetrics counted) {
    String name = atFirst.name();
    return new DispatcherFailure(name, culprit, thrown, meter.nowNanos(), lines, waiting, counted);
  }
}
