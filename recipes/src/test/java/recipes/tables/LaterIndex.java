package recipes.tables;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.table.Codecs;
import dev.upcall.table.Index;
import dev.upcall.table.Records;
import java.nio.file.Path;

/** An index of records that are there already. */
public final class LaterIndex {
  private LaterIndex() {}

  /** The volume's path is the only argument. */
  public static void main(String[] args) {
    try (Upcall store = Upcall.openOrCreate(Path.of(args[0]), UpcallConfig.DEFAULT)) {
      // begin
      Records<String> words = store.records("/words", Codecs.STRING);
      words.append("chair");
      words.append("table");
      words.append("cup");
      Index<String, Integer> byLength = Index.of("/words-by-length", Codecs.INT, String::length);
      Records<String> indexed = words.build(byLength); // one transaction
      indexed.append("bowl");
      // end
      System.out.println(indexed.find(byLength, 5).map(Records.Entry::record).toList());
      System.out.println(indexed.find(byLength, 4).map(Records.Entry::id).count());
    }
  }
}
