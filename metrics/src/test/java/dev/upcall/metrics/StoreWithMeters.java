package dev.upcall.metrics;

import dev.upcall.FsmUpcall;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;

/** A program with a store and its meters, for another class loader. */
public final class StoreWithMeters {
  private StoreWithMeters() {}

  /** How many meters a new store in that file has. */
  public static int count(Path volume) {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (FsmUpcall store =
        Upcall.create(volume, UpcallConfig.DEFAULT.withMemoryBytes(UpcallConfig.MIN_MEMORY_BYTES))
            .fsm()) {
      UpcallMetrics.of(store).bindTo(registry);
      return registry.getMeters().size();
    }
  }
}
