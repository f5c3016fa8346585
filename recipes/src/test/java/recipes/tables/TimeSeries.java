package recipes.tables;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.store.Durability;
import dev.upcall.table.Codecs;
import dev.upcall.table.Pair;
import dev.upcall.table.PairCodec;
import dev.upcall.table.Range;
import dev.upcall.table.SortedTable;
import java.nio.file.Path;
import java.time.Instant;

/** Readings of sensors by time, and what is old is removed. */
public final class TimeSeries {
  private TimeSeries() {}

  /** The volume's path is the only argument. */
  public static void main(String[] args) {
    Instant noon = Instant.parse("2026-11-22T12:00:00Z");
    try (Upcall store = Upcall.openOrCreate(Path.of(args[0]), UpcallConfig.DEFAULT)) {
      // begin
      PairCodec<String, Instant> keys = Codecs.pair(Codecs.STRING, Codecs.INSTANT);
      SortedTable<Pair<String, Instant>, Double> readings =
          store.sortedTable("/readings", keys, Codecs.DOUBLE).with(Durability.ASYNC);
      for (int minute = 0; minute < 60; minute++) {
        readings.put(new Pair<>("cellar", noon.plusSeconds(60L * minute)), 11.5 + minute);
        readings.put(new Pair<>("attic", noon.plusSeconds(60L * minute)), 21.0);
      }
      double newest = readings.lower(new Pair<>("cellar", Instant.MAX)).orElseThrow().getValue();
      long ofOneSensor = readings.scan(Range.prefix(keys.prefix("cellar"))).count();
      long old =
          readings.removeRange(
              Range.between(
                  new Pair<>("cellar", Instant.MIN), new Pair<>("cellar", noon.plusSeconds(600))));
      store.flush(); // up to here all is durable
      // end
      System.out.println(newest + ", " + ofOneSensor + " readings, " + old + " removed");
    }
  }
}
