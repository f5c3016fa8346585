package dev.upcall.bench.report;

import dev.upcall.bench.harness.Lab;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Makes studies one after the other. One that breaks is left out of the report, visibly. */
public final class StudyRun {
  private final Lab lab;
  private final Cover cover;
  private final Map<String, String> facts;
  private final double plannedSeconds;
  private final List<Section> sections = new ArrayList<>();
  private final long beginNanos = System.nanoTime();
  private boolean hasFailures;

  /**
   * One that begins.
   *
   * @param facts of the machine and the run
   * @param plannedSeconds what all studies are thought to take
   */
  public StudyRun(Lab lab, Cover cover, Map<String, String> facts, double plannedSeconds) {
    this.lab = lab;
    this.cover = cover;
    this.facts = new LinkedHashMap<>(facts);
    this.plannedSeconds = plannedSeconds;
  }

  /** What makes a section. */
  public interface Work {
    /**
     * Makes it.
     *
     * @throws IOException when something broke, or the user stopped it
     */
    Section make() throws IOException, InterruptedException;
  }

  /**
   * Makes one more.
   *
   * @param plan the seconds that it is thought to take
   * @throws IOException when the user stopped it
   */
  public void make(String title, double plan, Work work) throws IOException, InterruptedException {
    lab.say("%s, planned to take %s", title, Pace.words(plan));
    long nanos = System.nanoTime();
    try {
      sections.add(work.make());
      lab.say("%s took %s of %s planned", title, seconds(secondsSince(nanos)), seconds(plan));
    } catch (IOException broken) {
      if (lab.isStopped()) {
        throw broken;
      }
      hasFailures = true;
      String why = "it broke: " + broken.getMessage();
      lab.say("%s is left out, because %s", title, why);
      sections.add(Section.leftOut(title, why));
    }
  }

  /** One more fact, or another value of one. */
  public void note(String name, String value) {
    facts.put(name, value);
  }

  /** How many have been made. */
  public int made() {
    return sections.size();
  }

  /** All that has been made until now. */
  public StudyReport report() {
    Map<String, String> all = new LinkedHashMap<>(facts);
    all.put(
        "duration",
        "%s of %s planned".formatted(seconds(secondsSince(beginNanos)), seconds(plannedSeconds)));
    return new StudyReport(cover, all, sections);
  }

  /** Whether a study broke. */
  public boolean hasFailures() {
    return hasFailures;
  }

  private static String seconds(double seconds) {
    return String.format(Locale.ROOT, "%,.0f s", seconds);
  }

  private static double secondsSince(long nanos) {
    return (System.nanoTime() - nanos) / 1e9;
  }
}
