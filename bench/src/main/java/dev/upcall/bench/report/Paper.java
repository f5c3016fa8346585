package dev.upcall.bench.report;

import java.util.List;
import java.util.Map;

/** A paper whose tables and figures are made again, on one page. */
public interface Paper {
  /**
   * Makes a section of the page.
   *
   * @param title of the section
   * @param seconds what it is thought to take
   */
  record Part(String title, double seconds, StudyRun.Work work) {}

  /** What the page begins with. */
  Cover cover();

  /** What the size is called. */
  String size();

  /** What all parts together are thought to take. */
  double plannedSeconds();

  /** Which facts of the machine stand on the page; these where everything is counted. */
  default List<String> machineFacts() {
    return List.of("date", "jdk", "commit");
  }

  /** What stands there of the size, beside its name. */
  Map<String, String> sizeFacts();

  /** All of it, in the order in which it is made. */
  List<Part> parts(Pace pace);
}
