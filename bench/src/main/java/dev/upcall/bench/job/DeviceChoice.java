package dev.upcall.bench.job;

import dev.upcall.UpcallConfig;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.host.DeviceSettings;
import dev.upcall.config.KeySource;
import dev.upcall.config.TrafficConfig;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The stores of this worker schedule their requests and write them down as {@link DeviceSettings}
 * say, each into a file of its own, and are encrypted if they are to be. Options: {@link
 * DeviceSettings#POLICY}, {@link DeviceSettings#TRACES}, {@link #ENCRYPTED}; all may be missing.
 * Used by one thread.
 */
public final class DeviceChoice {
  /** Says that stores are encrypted, whatever its value. */
  public static final String ENCRYPTED = "encrypted";

  private static final int KEY_BYTES = 32;

  private final @Nullable String policy;
  private final @Nullable String traces;
  private final String kind;
  private final boolean isEncrypted;
  private int stores;

  /** What a worker's options say. */
  public DeviceChoice(Fields options) {
    policy = options.values().get(DeviceSettings.POLICY);
    traces = options.values().get(DeviceSettings.TRACES);
    kind = options.word();
    isEncrypted = options.values().containsKey(ENCRYPTED);
  }

  /** The same with the key of encrypted stores that are measured: a known one. */
  public static UpcallConfig encrypted(UpcallConfig config) {
    return config.withKey(KeySource.ofBytes(new byte[KEY_BYTES]));
  }

  /**
   * The configuration of the next store.
   *
   * @throws IllegalArgumentException if a policy is wanted of an engine that schedules nothing
   */
  public UpcallConfig in(UpcallConfig config) {
    UpcallConfig keyed = isEncrypted ? encrypted(config) : config;
    UpcallConfig chosen = policy == null ? keyed : keyed.withIoPolicy(policy);
    if (traces == null) {
      return chosen;
    }
    stores++;
    String name = "%s-%d-%d.trace".formatted(kind, ProcessHandle.current().pid(), stores);
    return chosen.withTraffic(TrafficConfig.NONE.withFile(Path.of(traces, name)));
  }
}
