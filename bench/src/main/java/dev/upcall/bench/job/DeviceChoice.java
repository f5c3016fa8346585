package dev.upcall.bench.job;

import dev.upcall.UpcallConfig;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.host.DeviceSettings;
import dev.upcall.config.TrafficConfig;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The stores of this worker schedule their requests and write them down as {@link DeviceSettings}
 * say, each into a file of its own. Options: {@link DeviceSettings#POLICY}, {@link
 * DeviceSettings#TRACES}; both may be missing. Used by one thread.
 */
public final class DeviceChoice {
  private final @Nullable String policy;
  private final @Nullable String traces;
  private final String kind;
  private int stores;

  /** What a worker's options say. */
  public DeviceChoice(Fields options) {
    policy = options.values().get(DeviceSettings.POLICY);
    traces = options.values().get(DeviceSettings.TRACES);
    kind = options.word();
  }

  /**
   * The configuration of the next store.
   *
   * @throws IllegalArgumentException if a policy is wanted of an engine that schedules nothing
   */
  public UpcallConfig in(UpcallConfig config) {
    UpcallConfig chosen = policy == null ? config : config.withIoPolicy(policy);
    if (traces == null) {
      return chosen;
    }
    stores++;
    String name = "%s-%d-%d.trace".formatted(kind, ProcessHandle.current().pid(), stores);
    return chosen.withTraffic(TrafficConfig.NONE.withFile(Path.of(traces, name)));
  }
}
