package recipes.tables;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.table.Codecs;
import dev.upcall.table.HashTable;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Counters that many threads raise, without a lock: a value is replaced if it is still there. */
public final class Counters {
  // begin
  private final HashTable<String, Long> counts;

  Counters(Upcall store) {
    counts = store.hashTable("/counts", Codecs.STRING, Codecs.LONG);
  }

  void increment(String name) {
    while (true) {
      Optional<Long> before = counts.get(name);
      boolean isDone =
          before.isEmpty()
              ? counts.putIfAbsent(name, 1L)
              : counts.replace(name, before.get(), before.get() + 1);
      if (isDone) {
        return;
      }
    }
  }

  // end

  /** The volume's path is the only argument. */
  public static void main(String[] args) {
    try (Upcall store = Upcall.openOrCreate(Path.of(args[0]), UpcallConfig.DEFAULT)) {
      Counters counters = new Counters(store);
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        for (int i = 0; i < 60; i++) {
          String name = i % 3 == 0 ? "third" : "others";
          threads.execute(() -> counters.increment(name));
        }
      }
      System.out.println(
          counters.counts.get("third").orElseThrow()
              + " and "
              + counters.counts.get("others").orElseThrow());
    }
  }
}
