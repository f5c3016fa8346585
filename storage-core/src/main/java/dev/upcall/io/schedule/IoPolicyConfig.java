package dev.upcall.io.schedule;

import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.Disk;
import java.util.Objects;

/**
 * Which policy schedules the requests of a store, with the knobs of all: {@link #parse} reads what
 * people write of it.
 *
 * @param policy the policy
 * @param shares the knobs of {@link IoPolicy#FAIR}
 * @param elevator the knobs of all others
 * @param merging which requests become one
 */
public record IoPolicyConfig(
    IoPolicy policy, FairShareConfig shares, ElevatorConfig elevator, MergeConfig merging) {
  /** Requests at the device, unless said otherwise. */
  static final int DEFAULT_DEPTH = 128;

  /** The clock of Linux as most distributions made it then. */
  static final int DEFAULT_TICKS = 250;

  /** What a store has: shares, and requests as they were asked for. */
  public static final IoPolicyConfig DEFAULT =
      new IoPolicyConfig(
          IoPolicy.FAIR,
          FairShareConfig.defaults(),
          ElevatorConfig.linux(DEFAULT_DEPTH, DEFAULT_TICKS),
          MergeConfig.OFF);

  /** Checks that nothing is missing. */
  public IoPolicyConfig {
    Objects.requireNonNull(policy, "policy");
    Objects.requireNonNull(shares, "shares");
    Objects.requireNonNull(elevator, "elevator");
    Objects.requireNonNull(merging, "merging");
  }

  /** A policy with its standard knobs: shares as the store has them, the others merge. */
  public static IoPolicyConfig of(IoPolicy policy) {
    return DEFAULT.with(policy);
  }

  /**
   * Reads a policy and its knobs: {@code deadline}, {@code cfq,depth=32,idle=8ms}.
   *
   * @throws IllegalArgumentException if there is no such policy, it has no such knob, or the value
   *     is out of its range; the message says which there are
   */
  public static IoPolicyConfig parse(String text) {
    return PolicyKnobs.parse(text);
  }

  private IoPolicyConfig with(IoPolicy other) {
    boolean merges = other != IoPolicy.FAIR;
    return new IoPolicyConfig(
        other, shares, elevator, merges ? MergeConfig.DEFAULT : MergeConfig.OFF);
  }

  /** A disk with this policy in front of it. */
  public Disk over(Disk device, Dispatcher dispatcher) {
    SchedulingPolicy made = policy.make(this, dispatcher);
    return merging.maxBytes() == 0 && policy == IoPolicy.FAIR
        ? new IoScheduler(device, dispatcher, made)
        : new IoScheduler(device, dispatcher, made, merging);
  }

  /** As {@link #parse} reads it, with all knobs of the policy. */
  @Override
  public String toString() {
    return PolicyKnobs.text(this);
  }
}
