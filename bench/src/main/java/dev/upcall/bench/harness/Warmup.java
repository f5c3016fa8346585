package dev.upcall.bench.harness;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Warms a JVM up until its compiler is quiet: until two rounds in a row cost its compiler threads
 * next to nothing, or the time is over; and, where the rounds are counted, until throughput changes
 * no more. On one core a server whose compiler still works is measured at a quarter below its
 * speed.
 */
public final class Warmup {
  /** The part of a round that a quiet compiler may take. */
  private static final double QUIET_PART = 0.02;

  private static final int QUIET_ROUNDS = 2;

  /** By so much throughput of two rounds may differ from that of the two before. */
  private static final double STEADY_DRIFT = 0.05;

  /** Rounds of each half where throughput scatters by more than that, as with checkpoints. */
  private static final int HALF = 6;

  /** By so much, and by two standard errors of their difference, the halves may differ then. */
  private static final double HALVES_DRIFT = 0.15;

  private static final double ERRORS = 2;

  private final Lab lab;
  private final String name;

  /** For an entrant of a name. */
  public Warmup(Lab lab, String name) {
    this.lab = lab;
    this.name = name;
  }

  /** A piece of the load that is measured later. */
  @FunctionalInterface
  public interface Round {
    /** Runs for a second or so. */
    void run() throws IOException, InterruptedException;
  }

  /** A piece of the load that is measured later, and counted. */
  @FunctionalInterface
  public interface Counted {
    /** Runs for half a second or so and gives its throughput. */
    double run() throws IOException, InterruptedException;
  }

  /** Runs rounds until the process is warm. */
  public void run(long pid, Round round) throws IOException, InterruptedException {
    if (lab.settings().quick()) {
      return;
    }
    Warmth warmth =
        rounds(
            pid,
            lab.settings().warmMillis(),
            /* counted= */ false,
            () -> {
              round.run();
              return Double.NaN;
            });
    if (warmth.steady()) {
      lab.say("%s: compiler quiet after %.0f s", name, warmth.seconds());
    } else {
      lab.say(
          "%s: warm for %.0f s; compiler still takes %.0f %%",
          name, warmth.seconds(), warmth.compiling() * 100);
    }
  }

  /**
   * Runs rounds until the process is warm and steady.
   *
   * @param mostMillis when to begin no further round
   */
  public Warmth steady(long pid, int mostMillis, Counted round)
      throws IOException, InterruptedException {
    if (lab.settings().quick()) {
      return new Warmth(0, Double.NaN, Double.NaN, /* steady= */ false);
    }
    Warmth warmth = rounds(pid, mostMillis, /* counted= */ true, round);
    lab.say(
        "%s: %s after %.1f s; compiler %.1f %% of a core, throughput changes by %.1f %%",
        name,
        warmth.steady() ? "steady" : "NOT STEADY",
        warmth.seconds(),
        warmth.compiling() * 100,
        warmth.drift() * 100);
    return warmth;
  }

  private static Warmth rounds(long pid, int mostMillis, boolean counted, Counted round)
      throws IOException, InterruptedException {
    long begin = System.nanoTime();
    List<Double> throughput = new ArrayList<>();
    int quiet = 0;
    while (true) {
      CompilerWatch compiler = new CompilerWatch(pid);
      throughput.add(round.run());
      double part = compiler.part();
      quiet = part < QUIET_PART ? quiet + 1 : 0;
      double seconds = (System.nanoTime() - begin) / 1e9;
      double drift = drift(throughput);
      boolean steady = quiet >= QUIET_ROUNDS && (!counted || isSteady(throughput));
      if (steady || seconds * 1e3 > mostMillis) {
        return new Warmth(seconds, part, drift, steady);
      }
    }
  }

  /**
   * Whether throughput changes no more: the last two rounds are like the two before; or, where they
   * scatter too widely for that, the last six like the six before, as far as their scatter tells.
   */
  static boolean isSteady(List<Double> throughput) {
    if (drift(throughput) <= STEADY_DRIFT) {
      return true;
    }
    int count = throughput.size();
    if (count < 2 * HALF) {
      return false;
    }
    List<Double> earlier = throughput.subList(count - 2 * HALF, count - HALF);
    List<Double> last = throughput.subList(count - HALF, count);
    double change = Math.abs(mean(last) - mean(earlier));
    double error = Math.sqrt((variance(last) + variance(earlier)) / HALF);
    return change <= HALVES_DRIFT * mean(earlier) && change <= ERRORS * error;
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
  }

  private static double variance(List<Double> values) {
    double mean = mean(values);
    return values.stream().mapToDouble(value -> (value - mean) * (value - mean)).sum()
        / (values.size() - 1);
  }

  /** How far the last two rounds are from the two before; NaN when there are not so many. */
  static double drift(List<Double> throughput) {
    int count = throughput.size();
    if (count < 4) {
      return Double.NaN;
    }
    double last = throughput.get(count - 1) + throughput.get(count - 2);
    double earlier = throughput.get(count - 3) + throughput.get(count - 4);
    return Math.abs(last / earlier - 1);
  }
}
