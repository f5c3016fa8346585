package dev.upcall.bench.proxy.trace;

/**
 * The parameters from which a trace is drawn.
 *
 * @param popularity which objects there are, and how often each is asked for
 * @param days how many requests
 * @param hosts how many servers
 * @param drifts whether popularity changes while the trace goes on
 * @param seed of all that is drawn
 */
public record TraceConfig(Popularity popularity, Days days, int hosts, boolean drifts, long seed) {
  private static final int SCALE = 10;
  private static final int SCALED_HOSTS = 8_000;

  /**
   * Zipf-like: the object of rank i has the weight i^-alpha.
   *
   * @param objects how many; chosen so that day 2 has the paper's hit rate
   */
  public record Popularity(double alpha, int objects) {
    /** In the middle of the paper's range. */
    public static final Popularity DEFAULT = new Popularity(0.75, 1_715_000);

    /** The flattest of the paper's range. */
    public static final Popularity FLATTEST = new Popularity(0.64, 1_236_000);

    /** The steepest of the paper's range. */
    public static final Popularity STEEPEST = new Popularity(0.83, 2_799_000);

    /** For those who take the paper's hit rate to be that of both days together. */
    public static final Popularity BOTH_DAYS = new Popularity(0.75, 908_000);
  }

  /**
   * Numbers of requests.
   *
   * @param first of day 1, which fills the cache
   * @param second of day 2, which is measured
   */
  public record Days(int first, int second) {
    /** Those of the paper. */
    public static final Days PAPER = new Days(522_376, 495_664);
  }

  /** The paper's trace. */
  public static TraceConfig paper(long seed) {
    return new TraceConfig(Popularity.DEFAULT, Days.PAPER, 40_000, /* drifts= */ false, seed);
  }

  /** A tenth of its requests and objects. */
  public TraceConfig scaled() {
    return new TraceConfig(
        new Popularity(popularity.alpha, popularity.objects / SCALE),
        new Days(days.first / SCALE, days.second / SCALE),
        SCALED_HOSTS,
        drifts,
        seed);
  }

  /** The same with other objects. */
  public TraceConfig with(Popularity other) {
    return new TraceConfig(other, days, hosts, drifts, seed);
  }

  /** The same with a popularity that changes. */
  public TraceConfig drifting() {
    return new TraceConfig(popularity, days, hosts, /* drifts= */ true, seed);
  }
}
