package dev.upcall.io.schedule;

import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.Disk;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SequencedMap;

/**
 * Shares of the device for each class.
 *
 * @param kind on which devices
 * @param shares the knobs of all
 * @param heads those that {@link Kind#ROTATING} has besides
 * @param merging which requests become one
 */
public record SharePolicyConfig(
    Kind kind, FairShareConfig shares, HeadConfig heads, MergeConfig merging)
    implements IoPolicyConfig {
  private static final String DEPTH = "depth";
  private static final String BACKGROUND = "background";

  /**
   * The policy of a store unless it is told otherwise: shares, and requests as they were asked for.
   */
  public static final SharePolicyConfig FAIR =
      new SharePolicyConfig(
          Kind.FAIR, FairShareConfig.defaults(), HeadConfig.DEFAULT, MergeConfig.OFF);

  /** On which devices. */
  public enum Kind {
    /** Any: {@link #ROTATING} if it says that it has heads. */
    FAIR,
    /** One on which no place is far, whatever it says. */
    FLAT,
    /** One with heads, whatever it says. */
    ROTATING
  }

  /** Checks that nothing is missing. */
  public SharePolicyConfig {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(shares, "shares");
    Objects.requireNonNull(heads, "heads");
    Objects.requireNonNull(merging, "merging");
  }

  /**
   * Those of this module, with their standard knobs: on heads, what follows something is merged.
   */
  static List<IoPolicyConfig> all() {
    HeadConfig heads = HeadConfig.DEFAULT;
    return List.of(
        FAIR,
        new SharePolicyConfig(Kind.FLAT, FAIR.shares, heads, MergeConfig.OFF),
        new SharePolicyConfig(
            Kind.ROTATING, FAIR.shares.withDepth(heads.depth()), heads, MergeConfig.DEFAULT));
  }

  @Override
  public String policy() {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  private boolean hasHeads() {
    return kind == Kind.ROTATING;
  }

  @Override
  public SequencedMap<String, Knob> knobs() {
    FairShareConfig all = hasHeads() ? shares.withDepth(heads.depth()) : shares;
    SequencedMap<String, Knob> knobs = new LinkedHashMap<>();
    knobs.put(DEPTH, Knob.count(all.depth()));
    knobs.put("log", Knob.count(all.logDepth()));
    knobs.put(BACKGROUND, Knob.count(all.backgroundDepth()));
    knobs.put("reads", Knob.count(all.weights().read()));
    knobs.put("writes", Knob.count(all.weights().write()));
    knobs.put("ahead", Knob.count(all.weights().readAhead()));
    knobs.put("rest", Knob.count(all.pacing().restFactor()));
    knobs.put("window", Knob.time(all.pacing().windowNanos()));
    knobs.put("maxrest", Knob.time(all.pacing().maxRestNanos()));
    if (hasHeads()) {
      knobs.put("turn", Knob.time(heads.turnNanos()));
      knobs.put("turnwrites", Knob.count(heads.turnRequests()));
      knobs.put("wait", Knob.time(heads.waitNanos()));
      knobs.put("seek", Knob.count(heads.seekBlocks()));
    }
    return knobs;
  }

  @Override
  public IoPolicyConfig with(KnobValues said, MergeConfig merges) {
    int depth = said.count(DEPTH);
    int background = said.count(BACKGROUND);
    FairShareConfig others =
        new FairShareConfig(
            depth,
            said.count("log"),
            said.isSaid(BACKGROUND) ? background : Math.max(1, Math.min(background, depth)),
            new FairShareConfig.Weights(
                said.count("reads"),
                said.count("writes"),
                said.count("ahead"),
                shares.weights().background()),
            shares.requestCostBlocks(),
            new PacingConfig(said.nanos("window"), said.count("rest"), said.nanos("maxrest")));
    return new SharePolicyConfig(kind, others, hasHeads() ? heads(said) : heads, merges);
  }

  private static HeadConfig heads(KnobValues said) {
    return new HeadConfig(
        said.count(DEPTH),
        said.nanos("turn"),
        said.count("turnwrites"),
        said.nanos("wait"),
        said.count("seek"));
  }

  @Override
  public SchedulingPolicy newPolicy(Dispatcher dispatcher) {
    return hasHeads()
        ? new HeadSharePolicy(shares, heads, dispatcher)
        : new FairSharePolicy(shares, dispatcher::upcallNanos);
  }

  @Override
  public boolean isUnmerged() {
    return !hasHeads();
  }

  @Override
  public Disk over(Disk device, Dispatcher dispatcher) {
    return kind == Kind.FAIR && device.isRotating()
        ? onHeads().over(device, dispatcher)
        : IoPolicyConfig.super.over(device, dispatcher);
  }

  /** Shares as they are, on a device with heads; what follows something is merged. */
  private SharePolicyConfig onHeads() {
    MergeConfig merges = merging.maxBytes() == 0 ? MergeConfig.DEFAULT : merging;
    return new SharePolicyConfig(Kind.ROTATING, shares, heads, merges);
  }

  @Override
  public String toString() {
    return PolicyKnobs.text(this);
  }
}
