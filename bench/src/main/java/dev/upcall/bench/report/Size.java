package dev.upcall.bench.report;

import java.util.List;
import java.util.Locale;

/** How much is measured: a plan for each experiment. */
public enum Size {
  /** Seconds, to see that everything works; the figures mean nothing. */
  TINY,

  /** A first look within five minutes on two cores. */
  QUICK,

  /** Within twenty-five minutes on two cores. */
  STANDARD,

  /** Within forty minutes on two cores: more points, longer samples, and more of them. */
  FULL;

  private static final List<Integer> ALL_IN_FLIGHT =
      List.of(1, 5, 10, 25, 50, 100, 150, 200, 250, 500, 1000);
  private static final List<Integer> MOST_IN_FLIGHT =
      List.of(1, 5, 10, 25, 50, 100, 250, 500, 1000);
  private static final List<Integer> FEW_IN_FLIGHT = List.of(1, 5, 50, 200, 1000);
  private static final List<Integer> ALL_CLIENTS =
      List.of(1, 5, 10, 25, 50, 100, 150, 200, 250, 500, 1000);
  private static final List<Integer> KEPT_CLIENTS = List.of(10, 50, 250, 1000, 2000, 5000, 10_000);

  /**
   * How long and how often.
   *
   * @param repetitions samples of each point, taken in turn
   * @param sampleMillis how long one takes
   * @param warmMillis the longest warm-up of a process
   * @param warmAgainMillis the longest before a process that is warm does something else
   * @param mostSeconds what a run may take: when that comes near, samples beyond the fifth of each
   *     point are left out, and the page says so
   */
  public record Time(
      int repetitions, int sampleMillis, int warmMillis, int warmAgainMillis, int mostSeconds) {}

  /**
   * What the file manager is asked for.
   *
   * @param directories of the file set, 4.9 MiB each
   * @param inFlight requests in flight, rising
   * @param fewInFlight the same where fewer points must do
   * @param rewrites how files are put anew beside the reads
   */
  public record Load(
      int directories, List<Integer> inFlight, List<Integer> fewInFlight, Rewrites rewrites) {}

  /**
   * How files are put anew beside the reads. Writing is other code than reading, and most cycles
   * read, so that it takes the compiler long to come to it; and a checkpoint, which comes every few
   * hundred milliseconds, is to be in each sample.
   *
   * @param sampleMillis how long a sample takes
   * @param warmMillis the longest warm-up before, of a process that reads fast already
   */
  public record Rewrites(int sampleMillis, int warmMillis) {}

  /**
   * What the web server is asked for.
   *
   * @param clients with a connection for each request, from a client of many threads, rising
   * @param clientsOfOneThread the same from a client of one thread
   * @param keptClients with a connection that they keep
   * @param admittedClients with and without a limit of requests inside, from many threads
   * @param seconds of a sample
   */
  public record Web(
      List<Integer> clients,
      List<Integer> clientsOfOneThread,
      List<Integer> keptClients,
      List<Integer> admittedClients,
      double seconds) {}

  /** How long and how often. */
  public Time time() {
    return switch (this) {
      case TINY -> new Time(2, 40, 0, 0, 120);
      case QUICK -> new Time(5, 150, 5_000, 2_000, 300);
      case STANDARD -> new Time(5, 250, 12_000, 6_000, 1_500);
      case FULL -> new Time(7, 400, 15_000, 8_000, 2_400);
    };
  }

  /** What the file manager is asked for. */
  public Load load() {
    return switch (this) {
      case TINY -> new Load(1, List.of(1, 5), List.of(5), new Rewrites(40, 0));
      case QUICK ->
          new Load(20, List.of(1, 5, 50, 250, 1000), List.of(5, 50, 250), new Rewrites(150, 3_000));
      case STANDARD -> new Load(100, MOST_IN_FLIGHT, FEW_IN_FLIGHT, new Rewrites(500, 15_000));
      case FULL -> new Load(100, ALL_IN_FLIGHT, FEW_IN_FLIGHT, new Rewrites(1_000, 28_000));
    };
  }

  /** What the web server is asked for. */
  public Web web() {
    return switch (this) {
      case TINY -> new Web(List.of(1, 5), List.of(5), List.of(5), List.of(1, 5), 0.3);
      case QUICK ->
          new Web(List.of(1, 10, 250), List.of(5, 250), List.of(50, 1000), List.of(50, 1000), 0.3);
      case STANDARD ->
          new Web(
              List.of(1, 5, 10, 50, 100, 200, 250, 500, 1000),
              List.of(1, 10, 50, 250),
              List.of(10, 50, 250, 1000, 5000, 10_000),
              List.of(10, 50, 250, 1000),
              0.6);
      case FULL ->
          new Web(
              ALL_CLIENTS,
              List.of(1, 5, 10, 50, 100, 250),
              KEPT_CLIENTS,
              List.of(10, 50, 250, 1000),
              0.7);
    };
  }

  /** As it is written on the command line and on the page. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
