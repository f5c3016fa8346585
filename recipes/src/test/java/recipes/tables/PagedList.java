package recipes.tables;

import dev.upcall.Listing.Direction;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.table.Codecs;
import dev.upcall.table.Range;
import dev.upcall.table.SortedTable;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A list page by page, newest first, as a web page shows it: the last key is the way on. */
public final class PagedList {
  // begin
  private final SortedTable<Integer, String> posts;

  List<Map.Entry<Integer, String>> page(Optional<Integer> after) {
    Range<Integer> rest = after.map(Range::below).orElse(Range.all());
    return posts.page(rest, Direction.DESCENDING, 10); // all of one commit
  }

  // end

  private PagedList(Upcall store) {
    posts = store.sortedTable("/posts", Codecs.INT, Codecs.STRING);
  }

  /** The volume's path is the only argument. */
  public static void main(String[] args) {
    try (Upcall store = Upcall.openOrCreate(Path.of(args[0]), UpcallConfig.DEFAULT)) {
      PagedList list = new PagedList(store);
      for (int i = 1; i <= 25; i++) {
        list.posts.put(i, "post " + i);
      }
      Optional<Integer> after = Optional.empty();
      List<Map.Entry<Integer, String>> page = list.page(after);
      while (!page.isEmpty()) {
        System.out.println(page.getFirst().getValue() + " to " + page.getLast().getValue());
        after = Optional.of(page.getLast().getKey());
        page = list.page(after);
      }
    }
  }
}
