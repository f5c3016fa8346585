package dev.upcall.bench.report;

import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Machine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes a paper's parts one after the other, and writes the page anew after each, so that whoever
 * ends it has what was measured until then.
 */
public final class PaperRun {
  private final Lab lab;
  private final Path html;
  private final Path json;
  private boolean hasFailures;

  /**
   * One that has not begun.
   *
   * @param html where the page goes
   * @param json where its data go
   */
  public PaperRun(Lab lab, Path html, Path json) {
    this.lab = lab;
    this.html = html;
    this.json = json;
  }

  /**
   * Makes them.
   *
   * @throws IOException when the page cannot be written, or the user stopped it
   */
  public StudyReport make(Paper paper) throws IOException, InterruptedException {
    double planned = paper.plannedSeconds();
    Pace pace =
        new Pace(planned, Double.MAX_VALUE, System::nanoTime, words -> lab.say("%s", words));
    List<Paper.Part> parts = paper.parts(pace);
    lab.say("size %s: planned to take %s", paper.size(), Pace.words(planned));
    StudyRun run = new StudyRun(lab, paper.cover(), facts(paper), planned);
    for (Paper.Part part : parts) {
      run.make(part.title(), part.seconds(), part.work());
      run.note("experiments", "%d of %d".formatted(run.made(), parts.size()));
      run.report().write(html, json);
    }
    hasFailures = run.hasFailures();
    return run.report();
  }

  private Map<String, String> facts(Paper paper) throws InterruptedException {
    Map<String, String> machine = Machine.describe(lab);
    Map<String, String> facts = new LinkedHashMap<>();
    paper.machineFacts().forEach(name -> facts.put(name, machine.getOrDefault(name, "unknown")));
    facts.put("size", paper.size());
    facts.putAll(paper.sizeFacts());
    return facts;
  }

  /** Whether a part broke. */
  public boolean hasFailures() {
    return hasFailures;
  }
}
