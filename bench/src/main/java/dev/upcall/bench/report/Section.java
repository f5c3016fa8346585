package dev.upcall.bench.report;

import java.util.List;

/**
 * What an experiment gave.
 *
 * @param title its name
 * @param how what was done, in a few sentences
 * @param claims what the report said, and what we find
 * @param sweeps measured lines
 * @param charts other lines
 * @param grids other figures
 * @param notes what else a reader must know, why something was left out for example
 */
public record Section(
    String title,
    String how,
    List<Claim> claims,
    List<Sweep> sweeps,
    List<Chart> charts,
    List<Grid> grids,
    List<String> notes) {
  /** Copies the lists. */
  public Section {
    claims = List.copyOf(claims);
    sweeps = List.copyOf(sweeps);
    charts = List.copyOf(charts);
    grids = List.copyOf(grids);
    notes = List.copyOf(notes);
  }

  /** One whose lines are all throughput and response times. */
  public Section(
      String title,
      String how,
      List<Claim> claims,
      List<Sweep> sweeps,
      List<Grid> grids,
      List<String> notes) {
    this(title, how, claims, sweeps, List.of(), grids, notes);
  }

  /** One without sweeps. */
  public static Section of(
      String title, String how, List<Claim> claims, List<Chart> charts, List<Grid> grids) {
    return new Section(title, how, claims, List.of(), charts, grids, List.of());
  }

  /** The same with notes. */
  public Section noting(String... more) {
    return new Section(title, how, claims, sweeps, charts, grids, List.of(more));
  }

  /** One that could not be run. */
  public static Section leftOut(String title, String why) {
    return of(title, "", List.of(), List.of(), List.of())
        .noting("This experiment was left out: " + why);
  }
}
