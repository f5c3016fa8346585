package dev.upcall.io.schedule;

import dev.upcall.io.Disk;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Policies by their names and knobs as people write them: a policy, then {@code name=value} for
 * each that shall be otherwise. Times are numbers with a unit ({@code ns}, {@code us}, {@code ms},
 * {@code s}), sizes are bytes, with {@code k} or {@code m} times 1,024. Ranges are those of the
 * records.
 */
public final class PolicyKnobs {
  private static final Pattern NUMBER = Pattern.compile("([0-9]{1,15})(ns|us|ms|s|k|m|)");
  private static final String MERGE = "merge";
  private static final String FRONT = "front";

  private PolicyKnobs() {}

  static IoPolicyConfig parse(String text) {
    String[] parts = text.strip().split(",", -1);
    IoPolicyConfig standard = standard(parts[0].strip());
    SequencedMap<String, Knob> knobs = all(standard);
    List<String> names = new ArrayList<>(knobs.keySet());
    names.addAll(standard.shorthands());
    Map<String, Long> said = new TreeMap<>();
    for (int at = 1; at < parts.length; at++) {
      String[] knob = parts[at].strip().split("=", 2);
      if (!names.contains(knob[0])) {
        throw new IllegalArgumentException(
            "%s has no knob '%s', only %s"
                .formatted(standard.policy(), knob[0], String.join(", ", names)));
      }
      Knob known = knobs.get(knob[0]);
      boolean isTime = known != null && known.isTime();
      said.put(knob[0], value(knob[0], knob.length == 2 ? knob[1] : "", isTime));
    }
    KnobValues values = new KnobValues(said, knobs);
    return standard.with(values, merging(values));
  }

  /** A policy with its standard knobs. */
  private static IoPolicyConfig standard(String name) {
    List<IoPolicyConfig> own = SharePolicyConfig.all();
    IoPolicyConfig found = find(own, name);
    if (found != null) {
      return found;
    }
    List<IoPolicyConfig> others = new ArrayList<>();
    ServiceLoader.load(PolicyProvider.class, PolicyProvider.class.getClassLoader())
        .forEach(provider -> others.addAll(provider.policies()));
    found = find(others, name);
    if (found != null) {
      return found;
    }
    String hint = others.isEmpty() ? "; the artifact dev.upcall:lab has more" : "";
    others.addAll(own);
    throw new IllegalArgumentException(
        "there is no policy '%s', only %s%s"
            .formatted(
                name,
                others.stream().map(IoPolicyConfig::policy).collect(Collectors.joining(", ")),
                hint));
  }

  private static @Nullable IoPolicyConfig find(List<IoPolicyConfig> policies, String name) {
    return policies.stream()
        .filter(policy -> policy.policy().equals(name.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElse(null);
  }

  private static SequencedMap<String, Knob> all(IoPolicyConfig config) {
    SequencedMap<String, Knob> all = new LinkedHashMap<>(config.knobs());
    all.put(MERGE, Knob.count(config.merging().maxBytes()));
    all.put(FRONT, Knob.count(config.merging().front() ? 1 : 0));
    return all;
  }

  private static MergeConfig merging(KnobValues values) {
    MergeConfig merging = new MergeConfig(values.count(MERGE), values.count(FRONT) != 0);
    if (merging.maxBytes() % Disk.BLOCK_BYTES != 0) {
      throw new IllegalArgumentException("merge is a number of bytes in whole blocks of 4k");
    }
    return merging;
  }

  /** The text that {@link IoPolicyConfig#parse} reads, with all knobs. */
  public static String text(IoPolicyConfig config) {
    return config.policy()
        + all(config).entrySet().stream()
            .map(knob -> "," + knob.getKey() + "=" + shown(knob.getValue()))
            .collect(Collectors.joining());
  }

  private static String shown(Knob knob) {
    if (!knob.isTime()) {
      return Long.toString(knob.value());
    }
    return knob.value() % 1_000_000 == 0 ? knob.value() / 1_000_000 + "ms" : knob.value() + "ns";
  }

  private static long value(String name, String text, boolean isTime) {
    Matcher number = NUMBER.matcher(text);
    if (!number.matches()) {
      throw new IllegalArgumentException("'%s' is no value of %s".formatted(text, name));
    }
    long count = Long.parseLong(number.group(1));
    String unit = number.group(2);
    if (isTime != unit.endsWith("s")) {
      throw new IllegalArgumentException(
          isTime
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
}
