package dev.upcall.threads;

import dev.upcall.base.Clock;
import dev.upcall.locks.LockRank;
import dev.upcall.locks.LockWait;
import dev.upcall.locks.MeteredLock;
import dev.upcall.locks.SharedLock;
import java.util.List;

/** The locks around a store's state, and the way to all of them at once. */
final class StateLocks {
  private final MeteredLock changes;
  private final SharedLock state;
  private final MeteredLock space;
  private long stamp;

  StateLocks(Clock clock) {
    changes = new MeteredLock(LockRank.CHANGES, clock);
    state = new SharedLock(LockRank.STATE, clock);
    space = new MeteredLock(LockRank.SPACE, clock);
  }

  /** Held while a change is planned and applied: whoever has it alone changes the state. */
  MeteredLock changes() {
    return changes;
  }

  /** Shared by those who look at the state, exclusive for those who apply. */
  SharedLock state() {
    return state;
  }

  /** Guards the free-space map. */
  MeteredLock space() {
    return space;
  }

  /** Takes all: nobody else looks at, plans on or changes anything. */
  void enter() {
    changes.lock();
    long mine = state.write();
    space.lock();
    stamp = mine;
  }

  /** Gives all back. */
  void leave() {
    long mine = stamp;
    space.unlock();
    state.endWrite(mine);
    changes.unlock();
  }

  List<LockWait> waited() {
    return List.of(changes.waited(), state.waited(), space.waited());
  }
}
