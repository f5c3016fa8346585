package dev.upcall.bench.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All that a run gave.
 *
 * @param facts of the machine and the run, in order
 * @param sections in the order of the report
 */
public record FsmReport(Map<String, String> facts, List<Section> sections) {
  /** Copies both. */
  public FsmReport {
    facts = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(facts));
    sections = List.copyOf(sections);
  }

  /** The claims of all sections. */
  public List<Claim> claims() {
    return sections.stream().flatMap(section -> section.claims().stream()).toList();
  }
}
