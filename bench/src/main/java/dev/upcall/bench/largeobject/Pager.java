package dev.upcall.bench.largeobject;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The pool before the disk, which counts what both do: twelve pages, least recently used first,
 * written through. A run of at most four pages goes through the pool with one call; of a longer one
 * only pages at its ends that are partly wanted do, and the middle goes straight to the reader.
 */
final class Pager {
  /** Pages of the longest run that is read through the pool as a whole. */
  static final int POOLED_RUN = 4;

  private static final int FRAMES = 12;
  private static final int PAGE_BYTES = PaperMachine.PAGE_BYTES;

  private final Map<Integer, Boolean> frames =
      new LinkedHashMap<>(2 * FRAMES, 0.75f, /* accessOrder= */ true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Boolean> eldest) {
          return size() > FRAMES;
        }
      };
  private Cost cost = Cost.NONE;

  Cost cost() {
    return cost;
  }

  /** Reads the bytes from one to before another of a run that begins at a page. */
  void read(int run, long from, long to) {
    int first = run + (int) (from / PAGE_BYTES);
    int end = run + (int) ((to + PAGE_BYTES - 1) / PAGE_BYTES);
    if (end - first <= POOLED_RUN) {
      readPooled(first, end);
      return;
    }
    if (from % PAGE_BYTES != 0) {
      readPooled(first, first + 1);
      first++;
    }
    boolean endsInside = to % PAGE_BYTES != 0;
    readStraight(first, endsInside ? end - 1 : end);
    if (endsInside) {
      readPooled(end - 1, end);
    }
  }

  /** Reads pages past the pool. */
  void readStraight(int first, int end) {
    cost = cost.plusRead(end - first);
  }

  /** One call from the first page that is missing to the last. */
  private void readPooled(int first, int end) {
    int missing = first;
    while (missing < end && frames.containsKey(missing)) {
      missing++;
    }
    if (missing < end) {
      int last = end - 1;
      while (frames.containsKey(last)) {
        last--;
      }
      cost = cost.plusRead(last + 1 - missing);
    }
    hold(first, end);
  }

  /**
   * Writes the bytes from one to before another of a run, in whole pages, with one call. The pool
   * then has all pages of a short run, and of a long one the last, if it is not full.
   */
  void write(int run, long from, long to) {
    int first = run + (int) (from / PAGE_BYTES);
    int end = run + (int) ((to + PAGE_BYTES - 1) / PAGE_BYTES);
    cost = cost.plusWrite(end - first);
    if (end - first <= POOLED_RUN) {
      hold(first, end);
    } else if (to % PAGE_BYTES != 0) {
      hold(end - 1, end);
    }
  }

  private void hold(int first, int end) {
    for (int page = first; page < end; page++) {
      frames.put(page, Boolean.TRUE);
    }
  }

  /** Pages are free: nothing of them is worth a frame. */
  void forget(int page, int pages) {
    frames.keySet().removeIf(held -> held >= page && held < page + pages);
  }
}
