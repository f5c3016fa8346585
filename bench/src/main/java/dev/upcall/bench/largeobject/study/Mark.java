package dev.upcall.bench.largeobject.study;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * An object after so many operations: how full it is, and what they have cost on average since the
 * mark before.
 *
 * @param operations from the beginning
 * @param utilization the part of its pages that content fills
 * @param readMillis of the disk for a read
 * @param insertMillis for an insert
 * @param deleteMillis for a delete
 */
record Mark(
    int operations,
    double utilization,
    double readMillis,
    double insertMillis,
    double deleteMillis) {
  /** An insert or a delete: of both there are as many. */
  double updateMillis() {
    return (insertMillis + deleteMillis) / 2;
  }

  /** The mean of the same mark of several runs. */
  static Mark mean(List<Mark> marks) {
    return new Mark(
        marks.getFirst().operations,
        mean(marks, Mark::utilization),
        mean(marks, Mark::readMillis),
        mean(marks, Mark::insertMillis),
        mean(marks, Mark::deleteMillis));
  }

  private static double mean(List<Mark> marks, ToDoubleFunction<Mark> figure) {
    return marks.stream().mapToDouble(figure).average().orElseThrow();
  }
}
