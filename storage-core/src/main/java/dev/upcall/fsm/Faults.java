package dev.upcall.fsm;

import java.util.Objects;

/**
 * In which ways something is broken on purpose, so that tests can prove that they would notice. It
 * is given to what is built, and never changes. Each layer names its own faults in an enumeration.
 *
 * <p>The product has {@link #NONE} only, and no subclass: the compiler takes the answer for a
 * constant and leaves out what hangs on it.
 */
public class Faults {
  /** Nothing is broken. */
  public static final Faults NONE = new Faults();

  /** For tests, which answer otherwise. */
  protected Faults() {}

  /** Whether it is broken in this way. */
  public boolean has(Enum<?> fault) {
    Objects.requireNonNull(fault, "fault");
    return false;
  }
}
