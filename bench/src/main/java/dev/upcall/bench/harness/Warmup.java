package dev.upcall.bench.harness;

import dev.upcall.bench.host.ThreadWatch;
import dev.upcall.specweb.run.Steadiness;
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
      ThreadWatch compiler = ThreadWatch.compiler(pid);
      throughput.add(round.run());
      double part = compiler.part();
      quiet = part < QUIET_PART ? quiet + 1 : 0;
      double seconds = (System.nanoTime() - begin) / 1e9;
      double drift = Steadiness.drift(throughput);
      boolean steady = quiet >= QUIET_ROUNDS && (!counted || Steadiness.isSteady(throughput));
      if (steady || seconds * 1e3 > mostMillis) {
        return new Warmth(seconds, part, drift, steady);
      }
    }
  }
}
