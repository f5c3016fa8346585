package dev.upcall.bench.largeobject;

import dev.upcall.edit.Plan;
import java.util.List;

/** How the pages of a plan are read and written: which calls the disk gets. */
interface Transfer {
  /**
   * Reads what a plan gathers and writes its runs.
   *
   * @param window the segments that the plan speaks of
   * @param made the places of its runs
   */
  void run(Plan plan, List<Segment> window, List<Segment> made);
}
