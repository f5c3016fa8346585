package dev.upcall.specweb.run;

import java.util.Locale;

/** Lengths of a run that have a name. The name is printed next to each number. */
public enum Profile {
  /** For a first look and for CI: below four minutes for ten points. */
  QUICK(5, 15),

  /** 25 minutes for ten points. */
  STANDARD(30, 120),

  /** As SPEC is said to have done it: 150 minutes for ten points. */
  FULL(300, 600);

  private final double warmSeconds;
  private final double runSeconds;

  Profile(double warmSeconds, double runSeconds) {
    this.warmSeconds = warmSeconds;
    this.runSeconds = runSeconds;
  }

  /** How long each point takes. */
  public Phases phases() {
    return new Phases(warmSeconds, runSeconds);
  }

  /** As it is written on the command line and in reports. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
