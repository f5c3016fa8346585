package dev.upcall.bench.harness;

import dev.upcall.bench.host.DeviceSettings;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How long and how often.
 *
 * @param repetitions samples of each entrant
 * @param runMillis how long a sample takes
 * @param warmMillis the longest warm-up of a JVM; it ends before when the compiler is quiet
 * @param quick tiny inputs, to see that everything works; the figures mean nothing
 * @param directory where scratch files go: its device is the one that is measured
 * @param kept where inputs that take minutes to make stay for the next time; null: nothing stays
 * @param ageMinutes how long a sample takes that is about what comes with time
 * @param device how stores send their requests
 */
public record Settings(
    int repetitions,
    int runMillis,
    int warmMillis,
    boolean quick,
    Path directory,
    @Nullable Path kept,
    int ageMinutes,
    DeviceSettings device) {
  /** Checks the limits. */
  public Settings {
    if (repetitions < 1 || repetitions > 1000) {
      throw new IllegalArgumentException("repetitions are 1 to 1000, not " + repetitions);
    }
    if (runMillis < 10 || runMillis > 600_000) {
      throw new IllegalArgumentException("a sample takes 10 ms to 600 s, not " + runMillis + " ms");
    }
    if (ageMinutes < 1 || ageMinutes > 60) {
      throw new IllegalArgumentException(
          "what comes with time takes 1 to 60 minutes, not " + ageMinutes);
    }
  }

  /** With nothing that stays. */
  public Settings(int repetitions, int runMillis, int warmMillis, boolean quick, Path directory) {
    this(
        repetitions,
        runMillis,
        warmMillis,
        quick,
        directory,
        null,
        Age.FULL.minutes(),
        DeviceSettings.STANDARD);
  }

  /** How long a sample takes of what shows with time only. */
  public enum Age {
    /** A minute. */
    QUICK(1),
    /** Five minutes. */
    STANDARD(5),
    /** Twenty minutes. */
    FULL(20);

    private final int minutes;

    Age(int minutes) {
      this.minutes = minutes;
    }

    /** The same as a number. */
    public int minutes() {
      return minutes;
    }
  }

  /** How long such a sample takes in milliseconds; next to nothing with tiny inputs. */
  public long ageMillis() {
    return either(runMillis, ageMinutes * 60_000L);
  }

  /** One of two, the first when tiny inputs are wanted. */
  public long either(long tiny, long full) {
    return quick ? tiny : full;
  }

  /** The time of a sample in seconds. */
  public double runSeconds() {
    return runMillis / 1e3;
  }
}
