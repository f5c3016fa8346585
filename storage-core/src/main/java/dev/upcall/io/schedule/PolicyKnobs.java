package dev.upcall.io.schedule;

import dev.upcall.io.Disk;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The knobs of a policy by the names that people write: a policy, then {@code name=value} for each
 * that shall be otherwise. Times are numbers with a unit ({@code ns}, {@code us}, {@code ms},
 * {@code s}), sizes are bytes, with {@code k} or {@code m} times 1,024. Ranges are those of the
 * records.
 */
final class PolicyKnobs {
  private static final Pattern NUMBER = Pattern.compile("([0-9]{1,15})(ns|us|ms|s|k|m|)");

  private static final String DEPTH = "depth";
  private static final String TICKS = "ticks";
  private static final String BACKGROUND = "background";
  private static final String MERGE = "merge";
  private static final String FRONT = "front";

  /** What each is now, in nanoseconds, bytes or pieces. */
  private final Map<String, Long> values = new LinkedHashMap<>();

  private final IoPolicy policy;

  private PolicyKnobs(IoPolicyConfig config) {
    this.policy = config.policy();
    ElevatorConfig elevator = config.elevator();
    switch (policy) {
      case NOOP -> values.put(DEPTH, (long) elevator.depth());
      case DEADLINE -> {
        values.put(DEPTH, (long) elevator.depth());
        values.put("read", elevator.deadline().readNanos());
        values.put("write", elevator.deadline().writeNanos());
        values.put("batch", (long) elevator.deadline().batch());
        values.put("starved", (long) elevator.deadline().writesStarved());
      }
      case ANTICIPATORY -> {
        values.put(DEPTH, (long) elevator.depth());
        values.put("read", elevator.anticipatory().readNanos());
        values.put("write", elevator.anticipatory().writeNanos());
        values.put("readbatch", elevator.anticipatory().readBatchNanos());
        values.put("writebatch", elevator.anticipatory().writeBatchNanos());
        values.put("writes", (long) elevator.anticipatory().writeBatch());
        values.put("wait", elevator.anticipatory().waitNanos());
      }
      case CFQ -> {
        values.put(DEPTH, (long) elevator.depth());
        values.put("quantum", (long) elevator.cfq().quantum());
        values.put("busy", (long) elevator.cfq().busyDepth());
        values.put("awaited", elevator.cfq().awaitedNanos());
        values.put("other", elevator.cfq().otherNanos());
        values.put("slice", elevator.cfq().sliceNanos());
        values.put("otherslice", elevator.cfq().otherSliceNanos());
        values.put("others", (long) elevator.cfq().otherSlice());
        values.put("idle", elevator.cfq().idleNanos());
      }
      case FAIR, FLAT, ROTATING -> {
        boolean hasHeads = policy == IoPolicy.ROTATING;
        FairShareConfig shares =
            hasHeads ? config.shares().withDepth(config.heads().depth()) : config.shares();
        values.put(DEPTH, (long) shares.depth());
        values.put("log", (long) shares.logDepth());
        values.put(BACKGROUND, (long) shares.backgroundDepth());
        values.put("reads", (long) shares.weights().read());
        values.put("writes", (long) shares.weights().write());
        values.put("ahead", (long) shares.weights().readAhead());
        values.put("rest", (long) shares.pacing().restFactor());
        values.put("window", shares.pacing().windowNanos());
        values.put("maxrest", shares.pacing().maxRestNanos());
        if (hasHeads) {
          values.put("turn", config.heads().turnNanos());
          values.put("turnwrites", (long) config.heads().turnRequests());
          values.put("wait", config.heads().waitNanos());
          values.put("seek", (long) config.heads().seekBlocks());
        }
      }
    }
    values.put(MERGE, (long) config.merging().maxBytes());
    values.put(FRONT, config.merging().front() ? 1L : 0L);
  }

  static IoPolicyConfig parse(String text) {
    String[] parts = text.strip().split(",", -1);
    IoPolicy policy = IoPolicy.of(parts[0].strip());
    Map<String, Long> said = new TreeMap<>();
    PolicyKnobs standard = new PolicyKnobs(IoPolicyConfig.of(policy));
    for (int at = 1; at < parts.length; at++) {
      String[] knob = parts[at].strip().split("=", 2);
      if (!standard.has(knob[0])) {
        throw new IllegalArgumentException(
            "%s has no knob '%s', only %s".formatted(policy.word(), knob[0], standard.names()));
      }
      said.put(knob[0], value(knob[0], knob.length == 2 ? knob[1] : ""));
    }
    IoPolicyConfig base = IoPolicyConfig.of(policy);
    Long ticks = said.get(TICKS);
    if (ticks != null) {
      ElevatorConfig elevator =
          ElevatorConfig.linux(IoPolicyConfig.DEFAULT_DEPTH, (int) Math.min(ticks, 1 << 20));
      base = new IoPolicyConfig(policy, base.shares(), base.heads(), elevator, base.merging());
    }
    PolicyKnobs knobs = new PolicyKnobs(base);
    knobs.values.replaceAll((name, value) -> said.getOrDefault(name, value));
    if (!said.containsKey(BACKGROUND)) {
      knobs.values.computeIfPresent(
          BACKGROUND, (name, value) -> Math.max(1, Math.min(value, knobs.get(DEPTH))));
    }
    return knobs.config(base);
  }

  static String text(IoPolicyConfig config) {
    PolicyKnobs knobs = new PolicyKnobs(config);
    return config.policy().word()
        + knobs.values.entrySet().stream()
            .map(knob -> "," + knob.getKey() + "=" + shown(knob.getKey(), knob.getValue()))
            .collect(Collectors.joining());
  }

  private boolean has(String name) {
    return values.containsKey(name) || (name.equals(TICKS) && !givesShares());
  }

  private String names() {
    String known = String.join(", ", values.keySet());
    return givesShares() ? known : known + ", " + TICKS;
  }

  private boolean givesShares() {
    return switch (policy) {
      case FAIR, FLAT, ROTATING -> true;
      case NOOP, DEADLINE, ANTICIPATORY, CFQ -> false;
    };
  }

  private static long value(String name, String text) {
    Matcher number = NUMBER.matcher(text);
    if (!number.matches()) {
      throw new IllegalArgumentException("'%s' is no value of %s".formatted(text, name));
    }
    long count = Long.parseLong(number.group(1));
    String unit = number.group(2);
    if (isTime(name) != unit.endsWith("s")) {
      throw new IllegalArgumentException(
          isTime(name)
              ? name + " is a time, such as 8ms"
              : name + " is a number, not a time: '" + text + "'");
    }
    try {
      return Math.multiplyExact(count, factor(unit));
    } catch (ArithmeticException tooLarge) {
      throw new IllegalArgumentException(name + " is too large: " + text, tooLarge);
    }
  }

  private static long factor(String unit) {
    return switch (unit) {
      case "us" -> TimeUnit.MICROSECONDS.toNanos(1);
      case "ms" -> TimeUnit.MILLISECONDS.toNanos(1);
      case "s" -> TimeUnit.SECONDS.toNanos(1);
      case "k" -> 1L << 10;
      case "m" -> 1L << 20;
      default -> 1;
    };
  }

  private static boolean isTime(String name) {
    return switch (name) {
      case "read",
          "write",
          "readbatch",
          "writebatch",
          "wait",
          "turn",
          "awaited",
          "other",
          "slice",
          "otherslice",
          "idle",
          "window",
          "maxrest" ->
          true;
      default -> false;
    };
  }

  private static String shown(String name, long value) {
    if (!isTime(name)) {
      return Long.toString(value);
    }
    return value % 1_000_000 == 0 ? value / 1_000_000 + "ms" : value + "ns";
  }

  private long get(String name) {
    Long value = values.get(name);
    if (value == null) {
      throw new IllegalStateException(policy + " has no " + name);
    }
    return value;
  }

  /** One that no number of an int is kept as is, for the record to refuse. */
  private int count(String name) {
    return (int) Math.min(get(name), Integer.MAX_VALUE);
  }

  private IoPolicyConfig config(IoPolicyConfig base) {
    MergeConfig merging = new MergeConfig(count(MERGE), get(FRONT) != 0);
    if (merging.maxBytes() % Disk.BLOCK_BYTES != 0) {
      throw new IllegalArgumentException("merge is a number of bytes in whole blocks of 4k");
    }
    return new IoPolicyConfig(
        policy, shares(base.shares()), heads(base.heads()), elevator(base.elevator()), merging);
  }

  private HeadConfig heads(HeadConfig base) {
    return policy == IoPolicy.ROTATING
        ? new HeadConfig(count(DEPTH), get("turn"), count("turnwrites"), get("wait"), count("seek"))
        : base;
  }

  private FairShareConfig shares(FairShareConfig base) {
    if (!givesShares()) {
      return base;
    }
    return new FairShareConfig(
        count(DEPTH),
        count("log"),
        count(BACKGROUND),
        new FairShareConfig.Weights(
            count("reads"), count("writes"), count("ahead"), base.weights().background()),
        base.requestCostBlocks(),
        new PacingConfig(get("window"), count("rest"), get("maxrest")));
  }

  private ElevatorConfig elevator(ElevatorConfig base) {
    if (givesShares()) {
      return base;
    }
    return new ElevatorConfig(
        count(DEPTH),
        policy == IoPolicy.DEADLINE
            ? new ElevatorConfig.Deadline(
                get("read"), get("write"), count("batch"), count("starved"))
            : base.deadline(),
        policy == IoPolicy.ANTICIPATORY
            ? new ElevatorConfig.Anticipatory(
                get("read"),
                get("write"),
                get("readbatch"),
                get("writebatch"),
                count("writes"),
                get("wait"))
            : base.anticipatory(),
        policy == IoPolicy.CFQ
            ? new ElevatorConfig.Cfq(
                count("quantum"),
                count("busy"),
                get("awaited"),
                get("other"),
                get("slice"),
                get("otherslice"),
                count("others"),
                get("idle"))
            : base.cfq());
  }
}
