package dev.upcall.specweb.report;

import dev.upcall.specweb.run.Phases;
import dev.upcall.specweb.run.PointResult;
import dev.upcall.specweb.run.Rules;
import dev.upcall.specweb.run.TestSetup;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * A test that has ended.
 *
 * @param setup what was the same for all points
 * @param phases how long each took
 * @param names what things are called
 * @param points what was measured, in the order of the load
 * @param isComplete false when it was stopped before its end
 */
public record TestResult(
    TestSetup setup, Phases phases, Names names, List<PointResult> points, boolean isComplete) {
  /**
   * What things are called, and what the user wanted said.
   *
   * @param test of the test
   * @param mode how requests follow each other
   * @param profile of the phases
   * @param rules when a point counts
   * @param server what the server calls itself; may be empty
   * @param notes names and texts
   */
  public record Names(
      String test,
      String mode,
      String profile,
      Rules rules,
      String server,
      Map<String, String> notes) {}

  /** The same test with other points. */
  public TestResult with(List<PointResult> measured, boolean complete) {
    return new TestResult(setup, phases, names, List.copyOf(measured), complete);
  }

  /** The metric: the highest throughput of a point that counts; empty when none does. */
  public OptionalDouble bestOpsPerSecond() {
    return points.stream()
        .filter(names.rules()::accept)
        .mapToDouble(point -> point.reading().opsPerSecond())
        .max();
  }

  /** Whether the test was measured to its end and each of its points counts. */
  public boolean isValid() {
    return isComplete && points.stream().allMatch(names.rules()::accept);
  }
}
