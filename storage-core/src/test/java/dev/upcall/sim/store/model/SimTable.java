package dev.upcall.sim.store.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A table of the simulator as the model knows it.
 *
 * @param id another one each time that a table is made, be it in the same place
 * @param entries the stamps of their values, by their keys; never changed but for others
 */
public record SimTable(long id, TreeMap<Long, Long> entries) {
  /** The table that an operation leaves where this one was, or none. */
  static @Nullable SimTable after(SimTables.Op op, @Nullable SimTable before) {
    if (op.kind() == SimTables.Kinds.MAKE) {
      return before == null ? new SimTable(SimTables.idOf(op), new TreeMap<>()) : before;
    }
    if (before == null || op.kind() == SimTables.Kinds.DELETE) {
      return null;
    }
    TreeMap<Long, Long> next = new TreeMap<>(before.entries);
    switch (op.kind()) {
      case PUT -> next.put(op.from(), op.stamp());
      case PUT_IF_ABSENT -> next.putIfAbsent(op.from(), op.stamp());
      case REMOVE -> next.remove(op.from());
      case REMOVE_RANGE -> {
        List<Long> keys = new ArrayList<>(next.subMap(op.from(), op.below()).keySet());
        keys.stream().limit(op.stamp()).forEach(next::remove);
      }
      case MAKE, DELETE -> throw new IllegalStateException("not of entries");
    }
    return new SimTable(before.id, next);
  }

  /** The keys to which a change that leaves the table in its place gives a value or none. */
  public Set<Long> changed(List<SimTables.Op> ops, long place) {
    Set<Long> keys = new TreeSet<>();
    SimTable now = this;
    for (SimTables.Op op : ops) {
      SimTable next = op.place() == place ? after(op, now) : now;
      if (next != null) {
        keys.addAll(now.differences(next));
        now = next;
      }
    }
    return keys;
  }

  /** The keys whose values are others in another state of the table. */
  Set<Long> differences(SimTable other) {
    Set<Long> keys = new TreeSet<>(entries.keySet());
    keys.addAll(other.entries.keySet());
    keys.removeIf(key -> Objects.equals(entries.get(key), other.entries.get(key)));
    return keys;
  }
}
