package dev.upcall.bench.harness;

import java.util.List;

/**
 * What is measured side by side: each entrant in turn, again and again.
 *
 * @param experiment its experiment's name
 * @param title what is done, in a few words
 * @param figure which number decides
 * @param entrants the sides; ratios are to the first peer that was measured
 */
public record Comparison(String experiment, String title, Figure figure, List<Entrant> entrants) {}
