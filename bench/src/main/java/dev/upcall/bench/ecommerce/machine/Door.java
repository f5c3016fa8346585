package dev.upcall.bench.ecommerce.machine;

import java.util.ArrayDeque;

/** Lets so many in at a time, first come, first served. */
public final class Door {
  private final ArrayDeque<Runnable> outside = new ArrayDeque<>();
  private int free;

  Door(int places) {
    this.free = places;
  }

  /** Runs it when there is a place, at once if there is one now. */
  void enter(Runnable then) {
    if (free > 0) {
      free--;
      then.run();
    } else {
      outside.addLast(then);
    }
  }

  /** One who was let in goes. */
  void leave() {
    Runnable next = outside.pollFirst();
    if (next == null) {
      free++;
    } else {
      next.run();
    }
  }
}
