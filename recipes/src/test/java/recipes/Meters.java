package recipes;

import dev.upcall.FsmUpcall;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.metrics.UpcallMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;

/** The meters of a store in the registry of its program. */
public final class Meters {
  private Meters() {}

  /** The volume's path is the only argument. */
  public static void main(String[] args) {
    // begin
    MeterRegistry registry =
        new SimpleMeterRegistry(); // or that of Prometheus, OTLP, your framework
    try (FsmUpcall store = Upcall.openOrCreate(Path.of(args[0]), UpcallConfig.DEFAULT).fsm()) {
      UpcallMetrics.of(store).bindTo(registry);
      store.writeString("/a", "content");
      System.out.println(registry.get("upcall.store.read.only").gauge().value());
      System.out.println(registry.getMeters().size() > 100);
    }
    // end
  }
}
