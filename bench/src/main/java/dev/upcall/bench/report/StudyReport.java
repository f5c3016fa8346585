package dev.upcall.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All that a run gave.
 *
 * @param cover what it is about
 * @param facts of the machine and the run, in order
 * @param sections in the order of what is made again
 */
public record StudyReport(Cover cover, Map<String, String> facts, List<Section> sections) {
  /** Copies both. */
  public StudyReport {
    facts = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(facts));
    sections = List.copyOf(sections);
  }

  /** The claims of all sections. */
  public List<Claim> claims() {
    return sections.stream().flatMap(section -> section.claims().stream()).toList();
  }

  /** Writes a page and a document whole or not at all, over what was there. */
  public void write(Path html, Path json) throws IOException {
    replace(json, ReportJson.of(this));
    replace(html, ReportHtml.of(this));
  }

  private static void replace(Path file, String text) throws IOException {
    Path unfinished = file.resolveSibling(file.getFileName() + ".unfinished");
    Files.writeString(unfinished, text);
    Files.move(
        unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
