package dev.upcall.bench.harness;

import java.util.ArrayList;
import java.util.List;

/**
 * What is measured side by side: each entrant in turn, again and again.
 *
 * @param experiment its experiment's name
 * @param title what is done, in a few words
 * @param figure which number decides
 * @param entrants the sides; ratios are to the first peer that was measured
 * @param unitBytes bytes that the user gets written by a unit: with it, what the device was made to
 *     write is told for each side; 0 when nobody asks
 * @param curves plots that it gives points to, together with others of its experiment
 */
public record Comparison(
    String experiment,
    String title,
    Figure figure,
    List<Entrant> entrants,
    int unitBytes,
    List<Curve> curves) {
  /** One that does not look at the device. */
  public Comparison(String experiment, String title, Figure figure, List<Entrant> entrants) {
    this(experiment, title, figure, entrants, 0, List.of());
  }

  /** The same with points in a plot. */
  public Comparison in(Curve curve) {
    List<Curve> more = new ArrayList<>(curves);
    more.add(curve);
    return new Comparison(experiment, title, figure, entrants, unitBytes, List.copyOf(more));
  }

  /** The same, looking at what the device is made to write. */
  public Comparison writing(int bytesOfUnit) {
    return new Comparison(experiment, title, figure, entrants, bytesOfUnit, curves);
  }
}
