package dev.upcall.fsm;

import java.util.Set;

/** Some faults, chosen by a test. */
public final class InjectedFaults extends Faults {
  private final Set<Enum<?>> faults;

  private InjectedFaults(Set<Enum<?>> faults) {
    this.faults = faults;
  }

  /** These. */
  public static Faults of(Enum<?>... faults) {
    return new InjectedFaults(Set.of(faults));
  }

  @Override
  public boolean has(Enum<?> fault) {
    return faults.contains(fault);
  }
}
