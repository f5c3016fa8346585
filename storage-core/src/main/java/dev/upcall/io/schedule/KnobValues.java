package dev.upcall.io.schedule;

import dev.upcall.base.Invariants;
import java.util.Map;

/** Knobs of a policy as they were said, each of the others at its standard. */
public final class KnobValues {
  private final Map<String, Long> said;
  private final Map<String, Knob> standard;

  /**
   * The knobs.
   *
   * @param said by their names; in nanoseconds, bytes or pieces
   * @param standard all that there are
   */
  KnobValues(Map<String, Long> said, Map<String, Knob> standard) {
    this.said = said;
    this.standard = standard;
  }

  /** The same, with other standards. */
  public KnobValues over(Map<String, Knob> others) {
    return new KnobValues(said, others);
  }

  /** Whether it was said. */
  public boolean isSaid(String name) {
    return said.containsKey(name);
  }

  /** A time. */
  public long nanos(String name) {
    Long value = said.get(name);
    return value == null ? Invariants.present(standard.get(name), name).value() : value;
  }

  /** A count; one that no number of an int is kept as is, for the record to refuse. */
  public int count(String name) {
    return (int) Math.min(nanos(name), Integer.MAX_VALUE);
  }
}
