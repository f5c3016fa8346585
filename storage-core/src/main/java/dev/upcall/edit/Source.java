package dev.upcall.edit;

import dev.upcall.base.Invariants;
import java.util.ArrayList;
import java.util.List;

/** Where bytes of a {@link Run} come from. */
public sealed interface Source {
  /** The first of them. */
  long from();

  /** The first behind them. */
  long to();

  /** How many they are. */
  default long bytes() {
    return to() - from();
  }

  /** The same bytes in as few ranges as possible: neighbours of one piece are one. */
  static List<Source> joined(List<Source> parts) {
    List<Source> all = new ArrayList<>();
    for (Source part : parts) {
      if (!all.isEmpty()
          && all.getLast() instanceof Source.Old before
          && part instanceof Source.Old next
          && before.piece() == next.piece()
          && before.to() == next.from()) {
        all.set(all.size() - 1, new Source.Old(before.piece(), before.from(), next.to()));
      } else {
        all.add(part);
      }
    }
    return all;
  }

  /**
   * Bytes of a piece as it was.
   *
   * @param piece its place in the {@link Neighbourhood}
   * @param from the first, counted from the beginning of the piece
   * @param to the first behind them
   */
  record Old(int piece, long from, long to) implements Source {
    /** Checks the order. */
    public Old {
      Invariants.check(from >= 0 && from <= to, "no range", from, to);
    }
  }

  /**
   * Bytes that the edit brings.
   *
   * @param from the first, counted among those of the edit
   * @param to the first behind them
   */
  record Fresh(long from, long to) implements Source {
    /** Checks the order. */
    public Fresh {
      Invariants.check(from >= 0 && from <= to, "no range", from, to);
    }
  }
}
