package dev.upcall.fileman.machine;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Handles, snapshots and transactions that are open: a close gives them up. */
final class OpenHandles {
  private final Set<Runnable> open = new LinkedHashSet<>();

  /** A place for a handle that is being made. */
  Place place() {
    return new Place();
  }

  int count() {
    return open.size();
  }

  /** Gives all of them up. */
  void giveUp() {
    List.copyOf(open).forEach(Runnable::run);
  }

  /** An open handle's place. */
  final class Place {
    private @Nullable Runnable abandon;

    /** The handle is open, and this is how it is given up. */
    void take(Runnable how) {
      abandon = how;
      open.add(how);
    }

    /** The handle has ended. */
    void leave() {
      if (abandon != null) {
        open.remove(abandon);
      }
    }
  }
}
