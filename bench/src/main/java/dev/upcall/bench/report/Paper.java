package dev.upcall.bench.report;

import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A paper whose tables and figures are made again, on one page.
 *
 * @param cover what the page begins with
 * @param size what the size is called
 * @param machineFacts which facts of the machine stand on the page
 * @param sizeFacts what stands there of the size, beside its name
 * @param parts all of it, in the order in which it is made; nothing is made before its turn
 */
public record Paper(
    Cover cover,
    String size,
    List<String> machineFacts,
    Map<String, String> sizeFacts,
    Function<Pace, List<Part>> parts) {
  /** Facts of the machine where everything is counted. */
  public static final List<String> COUNTED = List.of("date", "jdk", "commit");

  /** The same where something is measured. */
  public static final List<String> MEASURED =
      List.of(
          "date",
          "processor",
          "cores",
          "memory",
          "kernel",
          "file system",
          "jdk",
          "flags",
          "commit");

  /**
   * Makes a section of the page.
   *
   * @param title of the section
   * @param seconds what it is thought to take
   */
  public record Part(String title, double seconds, StudyRun.Work work) {}

  /** All of it, told how far it is. */
  public List<Part> parts(Pace pace) {
    return parts.apply(pace);
  }

  /** The same with nothing but parts that have a text in their titles; without any that is none. */
  public Paper only(String text) {
    return new Paper(
        cover,
        size,
        machineFacts,
        sizeFacts,
        pace -> parts.apply(pace).stream().filter(part -> part.title().contains(text)).toList());
  }

  /** The titles of all parts. */
  public List<String> titles() {
    return parts(Pace.NONE).stream().map(Part::title).toList();
  }

  /** What all parts together are thought to take. */
  public double plannedSeconds() {
    return parts(Pace.NONE).stream().mapToDouble(Part::seconds).sum();
  }
}
