package dev.upcall.bench.harness;

import java.io.IOException;
import java.util.Map;

/**
 * Warms a JVM up until its compiler is quiet: until two rounds in a row cost its compiler threads
 * next to nothing, or the time is over. On one core a server whose compiler still works is measured
 * at a quarter below its speed.
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

  /** Runs rounds until the process is warm. */
  public void run(long pid, Round round) throws IOException, InterruptedException {
    if (lab.settings().quick()) {
      return;
    }
    long begin = System.nanoTime();
    int quiet = 0;
    Map<String, Double> before = ProcessCpu.compilerSeconds(pid);
    while (quiet < QUIET_ROUNDS) {
      long roundBegin = System.nanoTime();
      round.run();
      Map<String, Double> after = ProcessCpu.compilerSeconds(pid);
      double part = added(before, after) / ((System.nanoTime() - roundBegin) / 1e9);
      before = after;
      quiet = part < QUIET_PART ? quiet + 1 : 0;
      double seconds = (System.nanoTime() - begin) / 1e9;
      if (quiet < QUIET_ROUNDS && seconds * 1e3 > lab.settings().warmMillis()) {
        lab.say("%s: warm for %.0f s; compiler still takes %.0f %%", name, seconds, part * 100);
        return;
      }
    }
    lab.say("%s: compiler quiet after %.0f s", name, (System.nanoTime() - begin) / 1e9);
  }

  /** Time that was added; a thread that ended meanwhile is not known any more. */
  static double added(Map<String, Double> before, Map<String, Double> after) {
    double seconds = 0;
    for (Map.Entry<String, Double> thread : after.entrySet()) {
      seconds += thread.getValue() - before.getOrDefault(thread.getKey(), 0.0);
    }
    return seconds;
  }
}
