package dev.upcall.cli.damage;

import dev.upcall.completion.DamageLog;
import dev.upcall.completion.Failure;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Says what a server's requests have found damaged: each place once, a few with each look, so that
 * readers of one damaged file fill no log. A place that was freed since, and is met damaged once
 * more, is said again. One thread.
 */
public final class DamageLines {
  private static final int LINES_OF_A_LOOK = 10;

  private final Consumer<String> out;
  private final Set<Failure> said = new HashSet<>();
  private boolean saidThatThereAreMore;

  /** Nothing was said. */
  public DamageLines(Consumer<String> out) {
    this.out = out;
  }

  /** Looks whether there is more; to be called now and then. */
  public void look(DamageLog.Report damage) {
    List<Failure> places = damage.places();
    said.retainAll(Set.copyOf(places));
    places.stream()
        .filter(place -> !said.contains(place))
        .limit(LINES_OF_A_LOOK)
        .forEach(
            place -> {
              out.accept("damage: " + place.message());
              said.add(place);
            });
    if (said.size() < DamageLog.MAX_PLACES) {
      saidThatThereAreMore = false;
    } else if (!saidThatThereAreMore) {
      saidThatThereAreMore = true;
      out.accept(
          "damage: further places are counted (upcall.store.damage), and not named; upcall verify"
              + " --deep names all");
    }
  }
}
