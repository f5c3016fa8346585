package dev.upcall.io.elevator;

import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.schedule.IoPolicyConfig;
import dev.upcall.io.schedule.Knob;
import dev.upcall.io.schedule.KnobValues;
import dev.upcall.io.schedule.MergeConfig;
import dev.upcall.io.schedule.PolicyKnobs;
import dev.upcall.io.schedule.SchedulingPolicy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SequencedMap;

/**
 * A policy for which every request is alike, whatever its class.
 *
 * @param kind which one
 * @param elevator the knobs of all
 * @param merging which requests become one
 */
public record ElevatorPolicyConfig(Kind kind, ElevatorConfig elevator, MergeConfig merging)
    implements IoPolicyConfig {
  /** Requests at the device, unless said otherwise. */
  private static final int DEFAULT_DEPTH = 128;

  /** The clock of Linux as most distributions made it then. */
  private static final int DEFAULT_TICKS = 250;

  private static final String DEPTH = "depth";
  private static final String TICKS = "ticks";

  /** Which one. */
  public enum Kind {
    /** First come, first served. */
    NOOP,
    /** An elevator with deadlines, reads before writes. */
    DEADLINE,
    /** The same, which waits for the next read of who has just read. */
    ANTICIPATORY,
    /** Slices of time for each asker in turn. */
    CFQ
  }

  /** Checks that nothing is missing. */
  public ElevatorPolicyConfig {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(elevator, "elevator");
    Objects.requireNonNull(merging, "merging");
  }

  /** A policy with its standard knobs. */
  public static ElevatorPolicyConfig of(Kind kind) {
    return new ElevatorPolicyConfig(
        kind, ElevatorConfig.linux(DEFAULT_DEPTH, DEFAULT_TICKS), MergeConfig.DEFAULT);
  }

  @Override
  public String policy() {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public List<String> shorthands() {
    return List.of(TICKS);
  }

  @Override
  public SequencedMap<String, Knob> knobs() {
    SequencedMap<String, Knob> knobs = new LinkedHashMap<>();
    knobs.put(DEPTH, Knob.count(elevator.depth()));
    switch (kind) {
      case NOOP -> {}
      case DEADLINE -> {
        knobs.put("read", Knob.time(elevator.deadline().readNanos()));
        knobs.put("write", Knob.time(elevator.deadline().writeNanos()));
        knobs.put("batch", Knob.count(elevator.deadline().batch()));
        knobs.put("starved", Knob.count(elevator.deadline().writesStarved()));
      }
      case ANTICIPATORY -> {
        knobs.put("read", Knob.time(elevator.anticipatory().readNanos()));
        knobs.put("write", Knob.time(elevator.anticipatory().writeNanos()));
        knobs.put("readbatch", Knob.time(elevator.anticipatory().readBatchNanos()));
        knobs.put("writebatch", Knob.time(elevator.anticipatory().writeBatchNanos()));
        knobs.put("writes", Knob.count(elevator.anticipatory().writeBatch()));
        knobs.put("wait", Knob.time(elevator.anticipatory().waitNanos()));
      }
      case CFQ -> {
        knobs.put("quantum", Knob.count(elevator.cfq().quantum()));
        knobs.put("busy", Knob.count(elevator.cfq().busyDepth()));
        knobs.put("awaited", Knob.time(elevator.cfq().awaitedNanos()));
        knobs.put("other", Knob.time(elevator.cfq().otherNanos()));
        knobs.put("slice", Knob.time(elevator.cfq().sliceNanos()));
        knobs.put("otherslice", Knob.time(elevator.cfq().otherSliceNanos()));
        knobs.put("others", Knob.count(elevator.cfq().otherSlice()));
        knobs.put("idle", Knob.time(elevator.cfq().idleNanos()));
      }
    }
    return knobs;
  }

  @Override
  public IoPolicyConfig with(KnobValues said, MergeConfig merges) {
    if (!said.isSaid(TICKS)) {
      return new ElevatorPolicyConfig(kind, elevator(said), merges);
    }
    ElevatorConfig ticking =
        ElevatorConfig.linux(DEFAULT_DEPTH, Math.min(said.count(TICKS), 1 << 20));
    ElevatorPolicyConfig others = new ElevatorPolicyConfig(kind, ticking, merges);
    return new ElevatorPolicyConfig(kind, others.elevator(said.over(others.knobs())), merges);
  }

  private ElevatorConfig elevator(KnobValues said) {
    return new ElevatorConfig(
        said.count(DEPTH),
        kind == Kind.DEADLINE
            ? new ElevatorConfig.Deadline(
                said.nanos("read"), said.nanos("write"), said.count("batch"), said.count("starved"))
            : elevator.deadline(),
        kind == Kind.ANTICIPATORY
            ? new ElevatorConfig.Anticipatory(
                said.nanos("read"),
                said.nanos("write"),
                said.nanos("readbatch"),
                said.nanos("writebatch"),
                said.count("writes"),
                said.nanos("wait"))
            : elevator.anticipatory(),
        kind == Kind.CFQ
            ? new ElevatorConfig.Cfq(
                said.count("quantum"),
                said.count("busy"),
                said.nanos("awaited"),
                said.nanos("other"),
                said.nanos("slice"),
                said.nanos("otherslice"),
                said.count("others"),
                said.nanos("idle"))
            : elevator.cfq());
  }

  @Override
  public SchedulingPolicy newPolicy(Dispatcher dispatcher) {
    return switch (kind) {
      case NOOP -> new NoopPolicy(elevator.depth());
      case DEADLINE -> new DeadlinePolicy(elevator, dispatcher::upcallNanos);
      case ANTICIPATORY -> new AnticipatoryPolicy(elevator, dispatcher);
      case CFQ -> new CfqPolicy(elevator, dispatcher);
    };
  }

  @Override
  public String toString() {
    return PolicyKnobs.text(this);
  }
}
