package dev.upcall.cli.damage;

import dev.upcall.completion.DamageLog;
import dev.upcall.completion.Failure;
import java.util.List;
import java.util.function.Consumer;

/**
 * Says what a server's requests have found damaged: each place once, a few with each look, so that
 * readers of one damaged file fill no log. One thread.
 */
public final class DamageLines {
  private static final int LINES_OF_A_LOOK = 10;

  private final Consumer<String> out;
  private int said;

  /** Nothing was said. */
  public DamageLines(Consumer<String> out) {
    this.out = out;
  }

  /** Looks whether there is more; to be called now and then. */
  public void look(DamageLog.Report damage) {
    List<Failure> places = damage.places();
    int end = Math.min(places.size(), said + LINES_OF_A_LOOK);
    while (said < end) {
      out.accept("damage: " + places.get(said).message());
      said++;
      if (said == DamageLog.MAX_PLACES) {
        out.accept(
            "damage: further places are counted (upcall.store.damage), and not named; upcall verify"
                + " --deep names all");
      }
    }
  }
}
