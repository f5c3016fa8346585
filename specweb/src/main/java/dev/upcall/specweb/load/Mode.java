package dev.upcall.specweb.load;

import java.util.Locale;

/** How requests follow each other. */
public enum Mode {
  /** Processes, each with its part of the rate and one request outstanding at most. */
  SPEC,

  /** One Poisson stream of arrivals, as many outstanding as it takes. */
  OPEN,

  /** Clients that ask again when they have their answer. */
  CLOSED;

  /** As it is written on the command line and in reports. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
