package dev.upcall.txn.change;

import java.util.Map;
import java.util.TreeMap;

/** A number for each block, 0 unless said otherwise, kept by where it changes. */
final class BlockCounts {
  /** From this block on, up to the next key; before the first it is 0. */
  private final TreeMap<Long, Integer> steps = new TreeMap<>();

  /** Hears of runs. */
  interface Runs {
    /** The blocks [from, to) have this number, those before and behind them another. */
    void run(long from, long to, int number);
  }

  /** The number of a block. */
  int at(long block) {
    Map.Entry<Long, Integer> step = steps.floorEntry(block);
    return step == null ? 0 : step.getValue();
  }

  /** Whether any block of [from, to) has a number above 0. */
  boolean isPositiveIn(long from, long to) {
    return at(from) > 0 || steps.subMap(from, to).values().stream().anyMatch(number -> number > 0);
  }

  /** Adds to the numbers of the blocks [from, to). */
  void add(long from, long to, int by) {
    steps.putIfAbsent(from, at(from));
    steps.putIfAbsent(to, at(to));
    steps.subMap(from, to).replaceAll((block, number) -> number + by);
  }

  /** All runs of a number that is not 0, ascending and as long as they can be. */
  void forEachRun(Runs runs) {
    long from = 0;
    int number = 0;
    for (Map.Entry<Long, Integer> step : steps.entrySet()) {
      if (step.getValue() == number) {
        continue;
      }
      if (number != 0) {
        runs.run(from, step.getKey(), number);
      }
      from = step.getKey();
      number = step.getValue();
    }
  }
}
