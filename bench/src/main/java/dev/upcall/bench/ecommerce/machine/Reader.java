package dev.upcall.bench.ecommerce.machine;

import dev.upcall.bench.ecommerce.Table;
import java.util.HashMap;
import java.util.Map;

/** Where a client reads in each file, as read-ahead must know it: rows and index are two files. */
public final class Reader {
  private final int asker;
  private final Map<Long, Place> places = new HashMap<>();

  /** In one file. */
  public static final class Place {
    private static final long NOWHERE = -1;

    private final int endPage;
    private long last = NOWHERE;
    private int aheadTo;
    private int window;

    private Place(int endPage) {
      this.endPage = endPage;
    }

    /** Whether a page follows the last one. */
    public boolean isNext(long page) {
      return last != NOWHERE && page == last + 1;
    }

    /** A page was read. */
    public void was(long page) {
      if (page != last + 1) {
        aheadTo = (int) page + 1;
        window = 0;
      }
      last = page;
    }

    /** Pages up to there were asked for. */
    public void ahead(int page) {
      aheadTo = page;
    }

    /** How many pages to ask for at once: twice as many as the last time, within bounds. */
    public int widen(int least, int most) {
      window = Math.clamp(2L * window, least, most);
      return window;
    }

    /** Pages before this one were asked for. */
    public int aheadTo() {
      return aheadTo;
    }

    /** Where the file ends. */
    public int endPage() {
      return endPage;
    }
  }

  Reader(int asker) {
    this.asker = asker;
  }

  int asker() {
    return asker;
  }

  /** The place in the file that holds a page. */
  public Place in(Table table, long page) {
    long rowsEnd = table.firstPage() + table.rowPages();
    long end = table.holdsRow(page) ? rowsEnd : table.endPage();
    return places.computeIfAbsent(end, any -> new Place(Math.toIntExact(any)));
  }
}
