package dev.upcall.io.schedule;

import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.Disk;
import java.util.Objects;

/**
 * Which policy schedules the requests of a store, with the knobs of all: {@link #parse} reads what
 * people write of it.
 *
 * @param policy the policy
 * @param shares the knobs of {@link IoPolicy#FAIR} and its like
 * @param heads those that {@link IoPolicy#ROTATING} has besides
 * @param elevator the knobs of all others
 * @param merging which requests become one
 */
public record IoPolicyConfig(
    IoPolicy policy,
    FairShareConfig shares,
    HeadConfig heads,
    ElevatorConfig elevator,
    MergeConfig merging) {
  /** Requests at the device, unless said otherwise. */
  static final int DEFAULT_DEPTH = 128;

  /** The clock of Linux as most distributions made it then. */
  static final int DEFAULT_TICKS = 250;

  /** What a store has: shares, and requests as they were asked for. */
  public static final IoPolicyConfig DEFAULT =
      new IoPolicyConfig(
          IoPolicy.FAIR,
          FairShareConfig.defaults(),
          HeadConfig.DEFAULT,
          ElevatorConfig.linux(DEFAULT_DEPTH, DEFAULT_TICKS),
          MergeConfig.OFF);

  /** What people write of it. */
  private static final String DEFAULT_TEXT = "fair";

  /** Checks that nothing is missing. */
  public IoPolicyConfig {
    Objects.requireNonNull(policy, "policy");
    Objects.requireNonNull(shares, "shares");
    Objects.requireNonNull(heads, "heads");
    Objects.requireNonNull(elevator, "elevator");
    Objects.requireNonNull(merging, "merging");
  }

  /** A policy with its standard knobs: shares as a store has them on flash, the others merge. */
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
    // Every opening reads the standard one: the table of knobs and its patterns stay out of its
    // way.
    return text.equals(DEFAULT_TEXT) ? DEFAULT : PolicyKnobs.parse(text);
  }

  private IoPolicyConfig with(IoPolicy other) {
    MergeConfig standard = other.isUnmerged() ? MergeConfig.OFF : MergeConfig.DEFAULT;
    boolean hasHeads = other == IoPolicy.ROTATING;
    return new IoPolicyConfig(
        other, hasHeads ? shares.withDepth(heads.depth()) : shares, heads, elevator, standard);
  }

  /** A disk with this policy in front of it. */
  public Disk over(Disk device, Dispatcher dispatcher) {
    return policy == IoPolicy.FAIR && device.isRotating()
        ? withHeads().inFrontOf(device, dispatcher)
        : inFrontOf(device, dispatcher);
  }

  /** Shares as they are, on a device with heads; what follows something is merged. */
  private IoPolicyConfig withHeads() {
    MergeConfig merges = merging.maxBytes() == 0 ? MergeConfig.DEFAULT : merging;
    return new IoPolicyConfig(IoPolicy.ROTATING, shares, heads, elevator, merges);
  }

  private Disk inFrontOf(Disk device, Dispatcher dispatcher) {
    SchedulingPolicy made = policy.make(this, dispatcher);
    return merging.maxBytes() == 0 && policy.isUnmerged()
        ? new IoScheduler(device, dispatcher, made)
        : new IoScheduler(device, dispatcher, made, merging);
  }

  /** As {@link #parse} reads it, with all knobs of the policy. */
  @Override
  public String toString() {
    return PolicyKnobs.text(this);
  }
}
