package dev.upcall.sim.store.campaign;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs many seeds: which ones, and what to say about those that fail. */
final class SimSeeds {
  private SimSeeds() {}

  /** The seeds that failed once. */
  static List<Long> kept() {
    return lines("/sim-seeds.txt").map(line -> Long.parseLong(line.split(" ", 2)[0])).toList();
  }

  /** Seeds that are known to catch a canary, by its name. */
  static Map<String, Long> ofCanaries() {
    return lines("/canary-seeds.txt")
        .map(line -> line.split(" ", 2))
        .collect(Collectors.toMap(words -> words[0], words -> Long.parseLong(words[1])));
  }

  private static Stream<String> lines(String resource) {
    try (InputStream in = Objects.requireNonNull(SimSeeds.class.getResourceAsStream(resource))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What a failure comes from. */
  static Throwable root(Throwable e) {
    Throwable root = e;
    for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
      root = cause;
    }
    return root;
  }

  /**
   * What many runs gave: failures by where they come from, with the first seed of each. Any thread.
   */
  static final class Tally {
    private final TreeMap<String, Integer> counts = new TreeMap<>();
    private final TreeMap<String, String> first = new TreeMap<>();
    private long runs;
    private long failures;

    /** Runs one seed and remembers how it ended; whether it is the first to fail at its place. */
    boolean run(long seed, LongConsumer lifetime) {
      try {
        lifetime.accept(seed);
        ended();
        return false;
      } catch (RuntimeException | AssertionError e) {
        return failed(seed, e);
      }
    }

    private synchronized void ended() {
      runs++;
    }

    private synchronized boolean failed(long seed, Throwable e) {
      runs++;
      failures++;
      String place = place(e);
      counts.merge(place, 1, Integer::sum);
      boolean isFirst = first.putIfAbsent(place, String.valueOf(e.getMessage())) == null;
      if (isFirst) {
        System.err.println("seed " + seed + " failed: " + place);
        String.valueOf(e.getMessage())
            .lines()
            .filter(line -> line.startsWith("replay: "))
            .forEach(System.err::println);
      }
      return isFirst;
    }

    synchronized long runs() {
      return runs;
    }

    synchronized long failures() {
      return failures;
    }

    /** The story of the first failure at each place, with how often it failed there. */
    synchronized List<String> stories() {
      List<String> stories = new ArrayList<>();
      first.forEach((place, story) -> stories.add(counts.get(place) + " x " + story));
      return stories;
    }

    /** Says how many runs there were, and from which seed. */
    void tell(long first, long nanos) {
      System.out.println(
          "%d lifetimes from seed %d, %d a minute"
              .formatted(runs(), first, runs() * 60_000_000_000L / nanos));
    }

    /** Fails if one run failed, with the story of the first of each kind. */
    void check() {
      if (failures() > 0) {
        throw new AssertionError(
            "%d of %d lifetimes failed%n%s"
                .formatted(failures(), runs(), String.join("\n", stories())));
      }
    }

    private static String place(Throwable e) {
      Throwable root = root(e);
      String line = String.valueOf(root.getMessage()).lines().findFirst().orElse("");
      StringBuilder place = new StringBuilder(line.replaceAll("[0-9]+", "#"));
      int frames = 0;
      for (StackTraceElement frame : root.getStackTrace()) {
        if (frame.getClassName().startsWith("dev.upcall")
            && !frame.getClassName().endsWith("Invariants")
            && frames++ < 4) {
          place.append("\n    at ").append(frame);
        }
      }
      return place.toString();
    }
  }
}
