package dev.upcall.edit;

import java.util.List;

/**
 * What is copied together when an edit gets its place. Pure functions of sizes: no policy sees
 * bytes, places or devices. {@link Esm}, {@link Starburst} and {@link Eos} are the three that
 * <i>The Performance of Three Database Storage Structures for Managing Large Objects</i> (Biliris,
 * SIGMOD 1992) compares in section 4; each names the publication that describes it.
 *
 * <p>For each plan: its runs hold exactly the bytes of the pieces that it replaces with the edit
 * done, in order; no run is longer than the geometry allows, or holds more than its blocks.
 */
public sealed interface EditPlanner permits Eos, Esm, Starburst {
  /** Blocks and the longest run. */
  Geometry geometry();

  /** How much of an object it has to see. */
  Sight sight();

  /** Content of fewer blocks it does not leave in a piece of its own, if there is other content. */
  int leastBlocks();

  /**
   * Whether runs that follow each other must not become one piece: leaves stay what they are, other
   * than runs of any length.
   */
  boolean keepsApart();

  /** Cuts bytes out and puts others in their place. */
  Plan splice(Neighbourhood around, Edit edit);

  /** Puts bytes behind an object whose last pieces these are. */
  Plan append(Neighbourhood end, long bytes);

  /** Gives back what was taken ahead for appends that have not come. */
  default Plan trim(Neighbourhood end) {
    int last = end.count() - 1;
    if (last < 0) {
      return new Plan(0, 0, List.of());
    }
    long bytes = end.bytes(last);
    Run run = Run.kept(new Source.Old(last, 0, bytes), geometry().blocks(bytes));
    return new Plan(last, last + 1, List.of(run));
  }
}
