package dev.upcall.io.elevator;

import dev.upcall.io.schedule.IoPolicyConfig;
import dev.upcall.io.schedule.PolicyProvider;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The policies of this package by their names. */
public final class Elevators implements PolicyProvider {
  /** For the loader of services. */
  public Elevators() {}

  @Override
  public List<IoPolicyConfig> policies() {
    return Arrays.stream(ElevatorPolicyConfig.Kind.values())
        .map(ElevatorPolicyConfig::of)
        .collect(Collectors.toList());
  }
}
