package dev.upcall.bench.proxy.disk;

import java.util.Arrays;

/** A file: its number, its entry in its directory, and where its bytes lie. */
public final class Inode {
  private static final int[] NOTHING = {};

  private final int number;
  private final int slot;

  /** Three numbers for each run: first page, pages, fragments of the last one. */
  private int[] runs = NOTHING;

  Inode(int number, int slot) {
    this.number = number;
    this.slot = slot;
  }

  int number() {
    return number;
  }

  int slot() {
    return slot;
  }

  int runs() {
    return runs.length / 3;
  }

  int firstPage(int run) {
    return runs[3 * run];
  }

  int pages(int run) {
    return runs[3 * run + 1];
  }

  int lastFragments(int run) {
    return runs[3 * run + 2];
  }

  /** Its last bytes lie there; where that is behind the run before, both are one. */
  void add(int page, int fragments) {
    int last = runs.length - 3;
    boolean goesOn =
        last >= 0 && runs[last] + runs[last + 1] == page && runs[last + 2] == PageMemory.WHOLE;
    if (goesOn) {
      runs[last + 1]++;
      runs[last + 2] = fragments;
      return;
    }
    runs = Arrays.copyOf(runs, runs.length + 3);
    runs[last + 3] = page;
    runs[last + 4] = 1;
    runs[last + 5] = fragments;
  }
}
