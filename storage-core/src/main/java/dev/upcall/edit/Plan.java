package dev.upcall.edit;

import java.util.ArrayList;
import java.util.List;

/**
 * What becomes of the pieces around an edit. Shadowing is the carrier's: new runs are written
 * before anything is free, and bytes that are kept never change.
 *
 * @param first the first piece that is replaced
 * @param last the first behind those that are replaced
 * @param runs what stands in their place, in order
 */
public record Plan(int first, int last, List<Run> runs) {
  /** Copies the list. */
  public Plan {
    runs = List.copyOf(runs);
  }

  /** Whether all stays as it is. */
  public boolean changesNothing() {
    return first == last && runs.isEmpty();
  }

  /**
   * Blocks of a piece that no run keeps.
   *
   * @param piece its place in the neighbourhood
   * @param first the first of them, counted from the beginning of the piece
   * @param blocks how many
   */
  public record Freed(int piece, int first, int blocks) {}

  /** What is free once the plan is carried out, by rising piece and block. */
  public List<Freed> freed(Neighbourhood around, Geometry geometry) {
    List<Freed> freed = new ArrayList<>();
    for (int piece = first; piece < last; piece++) {
      int block = 0;
      for (Run run : runs) {
        Source.Old kept = run.kept();
        if (kept != null && kept.piece() == piece) {
          int begin = geometry.blocks(kept.from());
          add(freed, piece, block, begin);
          block = begin + run.blocks();
        }
      }
      add(freed, piece, block, around.piece(piece).blocks());
    }
    return freed;
  }

  private static void add(List<Freed> freed, int piece, int first, int end) {
    if (first < end) {
      freed.add(new Freed(piece, first, end - first));
    }
  }
}
