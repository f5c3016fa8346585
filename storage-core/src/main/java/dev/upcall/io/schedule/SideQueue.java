package dev.upcall.io.schedule;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Dispatches that move no data, first come, first served: at most every second turn is theirs while
 * others wait.
 */
public final class SideQueue {
  private final ArrayDeque<Dispatch> queue = new ArrayDeque<>();
  private boolean hadTheLastTurn;

  public void add(Dispatch dispatch) {
    queue.addLast(dispatch);
  }

  public int size() {
    return queue.size();
  }

  /** The next one if it is its turn; else null, and the turn is the others'. */
  public @Nullable Dispatch poll(boolean othersWait) {
    hadTheLastTurn = !queue.isEmpty() && !(hadTheLastTurn && othersWait);
    return hadTheLastTurn ? queue.pollFirst() : null;
  }
}
