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
   * Bytes of a neighbourhood.
   *
   * @param from the first, counted from the beginning of the neighbourhood
   * @param to the first behind them
   */
  public record Range(long from, long to) {}

  /**
   * The bytes between those that stay where they are in the first and in the last piece: all of
   * them, with the edit done, are written anew.
   */
  public Range written(Neighbourhood around) {
    long from = bytesBefore(around, first);
    long to = bytesBefore(around, last);
    Source.Old left = runs.isEmpty() ? null : runs.getFirst().kept();
    long stays = left != null && left.piece() == first && left.from() == 0 ? left.bytes() : 0;
    from += stays;
    int others = stays > 0 ? 1 : 0;
    Source.Old right = runs.size() > others ? runs.getLast().kept() : null;
    if (right != null && right.piece() == last - 1) {
      to -= right.bytes();
    }
    return new Range(from, to);
  }

  /**
   * Bytes of each piece that comes in the place of what is {@link #written}, in order. Only of a
   * splice: an append may go on in a piece.
   */
  public List<Long> writtenRuns() {
    return runs.stream().filter(run -> run.kept() == null).map(Run::bytes).toList();
  }

  private static long bytesBefore(Neighbourhood around, int piece) {
    return around.pieces().subList(0, piece).stream().mapToLong(Piece::bytes).sum();
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
