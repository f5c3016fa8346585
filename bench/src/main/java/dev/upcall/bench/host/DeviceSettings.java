package dev.upcall.bench.host;

import dev.upcall.io.schedule.IoPolicyConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How the stores of an experiment send their requests to the device, and whether they write them
 * down.
 *
 * @param policy the I/O scheduler with its knobs; null: the standard one
 * @param traces the folder into which each store writes a block trace; null: none do
 */
public record DeviceSettings(@Nullable String policy, @Nullable Path traces) {
  /** What a worker is told of its stores' scheduler. */
  public static final String POLICY = "io-policy";

  /** What a worker is told of the folder of traces. */
  public static final String TRACES = "block-traces";

  /** As users have it. */
  public static final DeviceSettings STANDARD = new DeviceSettings(null, null);

  /**
   * Checks the policy.
   *
   * @throws IllegalArgumentException that says which policies and knobs there are
   */
  public DeviceSettings {
    if (policy != null) {
      IoPolicyConfig.parse(policy);
    }
  }

  /** For a worker whose stores do this. */
  public Map<String, String> workerOptions() {
    Map<String, String> options = new LinkedHashMap<>();
    if (policy != null) {
      options.put(POLICY, policy);
    }
    if (traces != null) {
      options.put(TRACES, traces.toAbsolutePath().toString());
    }
    return options;
  }

  /**
   * For {@code upcall serve}.
   *
   * @param name of the trace, that of no other server
   */
  public List<String> serveOptions(String name) {
    List<String> options = new ArrayList<>();
    if (policy != null) {
      options.add("--io-policy=" + policy);
    }
    if (traces != null) {
      options.add("--block-trace=" + traces.toAbsolutePath().resolve(name + ".trace"));
    }
    return options;
  }
}
