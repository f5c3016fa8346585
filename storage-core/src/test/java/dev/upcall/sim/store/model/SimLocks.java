package dev.upcall.sim.store.model;

import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What simulated transactions have changed and not committed: nobody else's change to it may be
 * applied meanwhile.
 */
public final class SimLocks {
  private final TreeMap<Long, Holder> files = new TreeMap<>();
  private final TreeMap<Long, Holder> properties = new TreeMap<>();
  private boolean over;

  /** A transaction as the judge of locks knows it. */
  public static final class Holder {
    private long untilNanos;

    private boolean began;
    private boolean mayHaveEnded;
    private @Nullable String broken;

    /**
     * A request of it is under way, which may be the end of it; its locks are free then before its
     * owner hears of it.
     */
    public void mayEnd() {
      mayHaveEnded = true;
    }

    /** It has not ended: nobody can have changed what it has locked. */
    public void goesOn() {
      SimInspection.checkThat(broken == null, broken);
      mayHaveEnded = false;
    }

    private void changed(String what) {
      broken = what + " is changed while a transaction has it locked";
      if (!mayHaveEnded) {
        goesOn();
      }
    }

    /**
     * It is asked something: so long at least the store must not forget it, unless it may have done
     * so already.
     */
    public void asked(long nowNanos, long idleNanos) {
      if (!began || nowNanos < untilNanos) {
        untilNanos = nowNanos + idleNanos;
        began = true;
      }
    }
  }

  public void file(long id, Holder holder) {
    files.put(id, holder);
  }

  public void property(long key, Holder holder) {
    properties.put(key, holder);
  }

  /** A transaction has ended. */
  public void release(Holder holder) {
    files.values().removeIf(each -> each == holder);
    properties.values().removeIf(each -> each == holder);
  }

  /** Another life of the store begins. */
  void clear() {
    files.clear();
    properties.clear();
    over = false;
  }

  /** The store closes: it rolls back what is open. */
  public void close() {
    clear();
    over = true;
  }

  /** A change is applied. */
  void check(
      Set<Long> changedFiles, Set<Long> changedProperties, @Nullable Holder by, long nowNanos) {
    if (!over) {
      changedFiles.forEach(id -> check("file " + id, files.get(id), by, nowNanos));
      changedProperties.forEach(key -> check("property " + key, properties.get(key), by, nowNanos));
    }
  }

  private static void check(
      String what, @Nullable Holder holder, @Nullable Holder by, long nowNanos) {
    if (holder != null && holder != by && nowNanos < holder.untilNanos) {
      holder.changed(what);
    }
  }
}
