package dev.upcall.bench.timeline;

import dev.upcall.FsmUpcall;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.base.Clock;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.FlightRecorder;
import java.nio.file.Path;

/** Durable creates of 4 KiB by one caller, of which the worst quarter of a second is kept. */
public final class TimelineRun {
  private static final int BYTES = 4096;

  private final Path volume;
  private final UpcallConfig config;
  private final long skipped;
  private final long counted;

  /**
   * A run.
   *
   * @param volume is made, and left for its owner to remove
   * @param config of the store
   * @param skipped creates that are made before anything is looked at
   * @param counted creates that are looked at, from 1 on
   */
  public TimelineRun(Path volume, UpcallConfig config, long skipped, long counted) {
    this.volume = volume;
    this.config = config;
    this.skipped = skipped;
    this.counted = counted;
  }

  /** The worst window. */
  public Window run() {
    try (FsmUpcall store = Upcall.create(volume, config).fsm()) {
      Dispatcher dispatcher = store.fileManager().dispatcher();
      Clock clock = dispatcher.clock();
      byte[] content = new byte[BYTES];
      for (long file = 0; file < skipped; file++) {
        store.write("/f" + file, content);
      }
      FlightRecorder recorder = dispatcher.recorder();
      WorstWindow worst = new WorstWindow(recorder.ring(), recorder::names, clock.monotonicNanos());
      for (long file = skipped; file < skipped + counted; file++) {
        long began = clock.monotonicNanos();
        store.write("/f" + file, content);
        worst.called(began, clock.monotonicNanos());
      }
      return worst.worst();
    }
  }
}
