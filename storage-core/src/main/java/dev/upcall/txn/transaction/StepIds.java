package dev.upcall.txn.transaction;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The segment ids that one change of a transaction has got: the same ones each time it is planned,
 * since its owner has seen them.
 */
final class StepIds {
  private final List<Long> given = new ArrayList<>();

  /** Gives the ids from the first on; new ones come from where they have never been used. */
  LongSupplier fromTheFirst(LongSupplier fresh) {
    int[] next = new int[1];
    return () -> {
      if (next[0] == given.size()) {
        given.add(fresh.getAsLong());
      }
      return given.get(next[0]++);
    };
  }
}
