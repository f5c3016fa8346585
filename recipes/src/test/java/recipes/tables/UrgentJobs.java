package recipes.tables;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.table.Codec;
import dev.upcall.table.Codecs;
import dev.upcall.table.Pair;
import dev.upcall.table.SortedTable;
import java.nio.file.Path;

/** A priority queue of jobs: the highest priority first, the oldest of these first. */
public final class UrgentJobs {
  private UrgentJobs() {}

  /** The volume's path is the only argument. */
  public static void main(String[] args) {
    try (Upcall store = Upcall.openOrCreate(Path.of(args[0]), UpcallConfig.DEFAULT)) {
      // begin
      Codec<Pair<Integer, Long>> byUrgency = Codecs.pair(Codecs.reversed(Codecs.INT), Codecs.LONG);
      SortedTable<Pair<Integer, Long>, String> jobs =
          store.sortedTable("/jobs", byUrgency, Codecs.STRING);
      jobs.put(new Pair<>(1, 100L), "sweep");
      jobs.put(new Pair<>(9, 102L), "mend");
      jobs.put(new Pair<>(9, 101L), "put out the fire");
      for (var job = jobs.first(); job.isPresent(); job = jobs.first()) {
        if (jobs.remove(job.get().getKey())) { // nobody else was quicker
          System.out.println(job.get().getValue());
        }
      }
      // end
    }
  }
}
