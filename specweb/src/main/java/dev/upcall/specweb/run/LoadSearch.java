package dev.upcall.specweb.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks for the highest load: rounds in a closed loop, until the compiler of the generator is quiet
 * and their throughput changes no more. Before that a rate tells of the generator's own warming,
 * and all load points under it lie below what the server can do.
 */
public final class LoadSearch {
  /** The part of a round that a quiet compiler may take. */
  private static final double QUIET_PART = 0.02;

  private static final int QUIET_ROUNDS = 2;

  private LoadSearch() {}

  /**
   * What one round showed.
   *
   * @param opsPerSecond its throughput
   * @param compiling the part of it that the generator's compiler took
   * @param isGeneratorBusy whether the generator may have been its limit
   */
  public record Round(double opsPerSecond, double compiling, boolean isGeneratorBusy) {}

  /**
   * What was found.
   *
   * @param opsPerSecond the mean of the last two rounds
   * @param seconds that it took
   * @param isSteady whether throughput had stopped changing; else the time was over
   * @param isGeneratorBusy whether the generator may have been the limit in the end
   */
  public record Found(
      double opsPerSecond, double seconds, boolean isSteady, boolean isGeneratorBusy) {}

  /** Runs a round. */
  @FunctionalInterface
  public interface Rounds {
    /** Runs for a second or so; null when the end was asked for. */
    @Nullable Round next() throws IOException, InterruptedException;
  }

  /**
   * Looks for it.
   *
   * @param nanos the clock
   * @param mostSeconds when to begin no further round
   * @return what was found; null when the end was asked for
   */
  public static @Nullable Found run(Rounds rounds, LongSupplier nanos, double mostSeconds)
      throws IOException, InterruptedException {
    long begin = nanos.getAsLong();
    List<Double> rates = new ArrayList<>();
    int quiet = 0;
    while (true) {
      Round round = rounds.next();
      if (round == null) {
        return null;
      }
      rates.add(round.opsPerSecond());
      quiet = round.compiling() < QUIET_PART ? quiet + 1 : 0;
      boolean steady = quiet >= QUIET_ROUNDS && Steadiness.isSteady(rates);
      double seconds = (nanos.getAsLong() - begin) / 1e9;
      if (steady || seconds >= mostSeconds) {
        return new Found(lastTwo(rates), seconds, steady, round.isGeneratorBusy());
      }
    }
  }

  private static double lastTwo(List<Double> rates) {
    return rates.subList(Math.max(0, rates.size() - 2), rates.size()).stream()
        .mapToDouble(Double::doubleValue)
        .average()
        .orElse(0);
  }
}
