package dev.upcall.specweb.run;

/**
 * How long each load point takes.
 *
 * @param warmSeconds before anything counts; workers start during its first tenth
 * @param runSeconds while it counts
 */
public record Phases(double warmSeconds, double runSeconds) {
  /** Neither may be longer. */
  public static final double MAX_SECONDS = 86_400;

  private static final double RAMP_SHARE = 0.1;

  /** Checks the limits. */
  public Phases {
    boolean fits =
        warmSeconds >= 0
            && warmSeconds <= MAX_SECONDS
            && runSeconds > 0
            && runSeconds <= MAX_SECONDS;
    if (!fits) {
      throw new IllegalArgumentException(
          "a point is warmed up for 0 s or more and measured for more than 0 s, a day at most; not"
              + " %s s and %s s".formatted(warmSeconds, runSeconds));
    }
  }

  /** Time in which the workers start one after the other. */
  double rampSeconds() {
    return warmSeconds * RAMP_SHARE;
  }
}
