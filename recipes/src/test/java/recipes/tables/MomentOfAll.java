package recipes.tables;

import dev.upcall.FsmUpcall;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallSnapshot;
import dev.upcall.store.Durability;
import dev.upcall.table.Codecs;
import dev.upcall.table.Range;
import dev.upcall.table.SortedTable;
import java.nio.file.Path;
import java.util.Map;

/** A sum over a large table while it changes: a snapshot, in which all pages are of one moment. */
public final class MomentOfAll {
  private MomentOfAll() {}

  /** The volume's path is the only argument. */
  public static void main(String[] args) {
    try (FsmUpcall store = Upcall.openOrCreate(Path.of(args[0]), UpcallConfig.DEFAULT).fsm()) {
      SortedTable<Integer, Long> accounts = store.sortedTable("/accounts", Codecs.INT, Codecs.LONG);
      for (int i = 0; i < 1000; i++) {
        accounts.with(Durability.ASYNC).put(i, 1L);
      }
      // begin
      try (UpcallSnapshot then = store.snapshot()) {
        accounts.removeRange(Range.from(500)); // others go on
        long sum = accounts.in(then).scan().mapToLong(Map.Entry::getValue).sum();
        System.out.println(sum + " then, " + accounts.count() + " now");
      }
      // end
    }
  }
}
