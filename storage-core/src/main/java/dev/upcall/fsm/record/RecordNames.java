package dev.upcall.fsm.record;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The names that records mention by number: kinds of machines, each directly followed by its states
 * in their order, verbs, outcomes and so on. It only grows. The writer's, except {@link #list}.
 */
public final class RecordNames {
  /** What names are called that no longer fit. */
  private static final int OTHERS = 1;

  /** Where the names of the stages stand. */
  static final int FIRST_STAGE = 2;

  private final Map<String, Integer> indexes = new LinkedHashMap<>();
  private volatile List<String> names = List.of();

  /** No names but those that are always there. */
  public RecordNames() {
    add(List.of("", "others"));
    add(Arrays.stream(Stage.values()).map(Stage::name).toList());
  }

  /**
   * The number of a name, the same one for the same name. Looks in a table: who records often asks
   * once.
   */
  public int indexOf(String name) {
    Objects.requireNonNull(name, "name");
    Integer known = indexes.get(name);
    if (known == null) {
      known = add(List.of(name));
      indexes.put(name, known);
    }
    return known;
  }

  /** Adds names that stand one behind the other, and returns the number of the first. */
  public int add(List<String> together) {
    Objects.requireNonNull(together, "together");
    List<String> before = names;
    int first = before.size();
    if (first + together.size() > FlightRecord.NAME_MAX) {
      return OTHERS;
    }
    List<String> after = new ArrayList<>(before);
    after.addAll(together);
    names = List.copyOf(after);
    return first;
  }

  /** All names by their numbers. Any thread. */
  public List<String> list() {
    return names;
  }
}
