package dev.upcall.sim.store.model;

import dev.upcall.store.NamedSnapshot;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Which named snapshots a store must have, and what each must show. What was not acknowledged is
 * unsure: after a crash it may be so or so.
 */
public final class SimNames {
  /**
   * A snapshot that exists.
   *
   * @param scn the last change in it
   * @param shows the store at that moment
   */
  public record Known(long scn, SimModel.Snapshot shows) {}

  private final TreeMap<String, Known> known = new TreeMap<>();

  /** Whose making is not acknowledged, or failed so that nobody knows. */
  private final TreeSet<String> coming = new TreeSet<>();

  /** Whose dropping is not acknowledged, or failed so that nobody knows. */
  private final TreeSet<String> going = new TreeSet<>();

  /** The same, for another fate. */
  SimNames copy() {
    SimNames copy = new SimNames();
    copy.known.putAll(known);
    copy.coming.addAll(coming);
    copy.going.addAll(going);
    return copy;
  }

  /** Those that are sure to exist. */
  public Map<String, Known> known() {
    return known;
  }

  /** Whether it is sure that there is none of that name. */
  public boolean isFree(String name) {
    return !known.containsKey(name) && !coming.contains(name);
  }

  public boolean isSure(String name) {
    return !coming.contains(name) && !going.contains(name);
  }

  public void creating(String name) {
    coming.add(name);
  }

  public void created(String name, Known snapshot) {
    coming.remove(name);
    known.put(name, snapshot);
  }

  public void notCreated(String name) {
    coming.remove(name);
  }

  public void dropping(String name) {
    going.add(name);
  }

  public void dropped(String name) {
    going.remove(name);
    known.remove(name);
  }

  public void notDropped(String name) {
    going.remove(name);
  }

  /** While the store is open: what is sure is listed as it is, the rest may be. */
  @Nullable String wrong(List<NamedSnapshot> listed) {
    TreeMap<String, NamedSnapshot> found = new TreeMap<>();
    for (NamedSnapshot snapshot : listed) {
      found.put(snapshot.name(), snapshot);
      Known expected = known.get(snapshot.name());
      if (expected == null ? !coming.contains(snapshot.name()) : isOther(expected, snapshot)) {
        return "listed is %s, known is %s".formatted(snapshot, expected);
      }
    }
    for (String name : known.keySet()) {
      if (!found.containsKey(name) && !going.contains(name)) {
        return "snapshot " + name + " is not listed: " + listed;
      }
    }
    return null;
  }

  private static boolean isOther(Known expected, NamedSnapshot found) {
    return expected.scn() != found.scn() || found.exclusiveBytes() < 0;
  }

  /**
   * After an opening: what was unsure is what was found.
   *
   * @param moment what the store was after the change with an SCN
   * @return null, or what is wrong
   */
  @Nullable String settle(List<NamedSnapshot> listed, LongFunction<SimModel.Snapshot> moment) {
    String wrong = wrong(listed);
    TreeSet<String> found = new TreeSet<>();
    for (NamedSnapshot snapshot : listed) {
      found.add(snapshot.name());
      known.computeIfAbsent(
          snapshot.name(), name -> new Known(snapshot.scn(), moment.apply(snapshot.scn())));
    }
    known.keySet().retainAll(found);
    coming.clear();
    going.clear();
    return wrong;
  }
}
