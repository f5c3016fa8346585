package dev.upcall.cli.damage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.DamageLog;
import dev.upcall.completion.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The lines of a server about damage, whose places come and go. */
class DamageLinesTest {
  private final List<String> said = new ArrayList<>();
  private final DamageLines lines = new DamageLines(said::add);

  private void look(int... places) {
    said.clear();
    List<Failure> failures = new ArrayList<>();
    for (int place : places) {
      failures.add(new Failure.Device("reading", "block " + place));
    }
    lines.look(new DamageLog.Report(1000, failures));
  }

  private static String line(int place) {
    return "damage: " + new Failure.Device("reading", "block " + place).message();
  }

  @Test
  void look_placesBeforeItAreFreed_saysThoseThatAreNew() {
    look(1, 2);
    assertEquals(List.of(line(1), line(2)), said);
    look(2, 3);
    assertEquals(List.of(line(3)), said);
    look(2, 3);
    assertEquals(List.of(), said);
  }

  @Test
  void look_placeThatWasFreedIsDamagedOnceMore_saysIt() {
    look(1);
    look();
    look(1);
    assertEquals(List.of(line(1)), said);
  }

  @Test
  void look_manyPlaces_saysAFewEachTimeAndOnceThatThereMayBeMore() {
    int[] all = IntStream.range(0, DamageLog.MAX_PLACES).toArray();
    int looks = 0;
    List<String> heard = new ArrayList<>();
    do {
      look(all);
      heard.addAll(said);
      looks++;
    } while (!said.isEmpty());
    assertEquals(11, looks);
    assertEquals(DamageLog.MAX_PLACES + 1, heard.size());
    assertTrue(heard.getLast().contains("further places are counted"), heard::getLast);
  }
}
