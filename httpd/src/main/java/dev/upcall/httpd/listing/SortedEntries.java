package dev.upcall.httpd.listing;

import dev.upcall.Listing;
import dev.upcall.base.Invariants;
import dev.upcall.httpd.SitePage;
import dev.upcall.httpd.listing.ListingOrder.Place;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Entries in an order that the store does not have: looks at all of them and keeps those that the
 * page will show, never more.
 */
final class SortedEntries implements PageEntries {
  /** Entries of the directory that are looked at with one request of the store. */
  private static final int LOOK_ENTRIES = 256;

  /** What an entry with a common name takes. */
  private static final int ENTRY_BYTES = 256;

  private final ListingQuery query;
  private final Comparator<SitePage.Entry> order;

  /** Which of two entries is nearer to the cursor. */
  private final Comparator<Place> nearer;

  private final boolean before;
  private final @Nullable Place cursor;

  /** The page as far as it is known, the entry that would be dropped first on top. */
  private final PriorityQueue<SitePage.Entry> nearest;

  private final List<SitePage.Entry> page = new ArrayList<>();
  private @Nullable String after;
  private boolean complete;

  /** Whether entries lie beyond the page, seen from the cursor. */
  private boolean beyond;

  /** Whether entries lie on the cursor's other side. */
  private boolean behind;

  private int given;

  SortedEntries(ListingQuery query) {
    this.query = query;
    ListingQuery.Cursor at = query.cursor();
    this.before = at != null && at.before();
    this.cursor = at == null ? null : at.place();
    Comparator<Place> places = query.order().comparator();
    this.nearer = before ? places.reversed() : places;
    this.order = Comparator.comparing(query.order()::place, places);
    this.nearest = new PriorityQueue<>(before ? order : order.reversed());
  }

  @Override
  public ListingAsk ask() {
    if (!complete) {
      return new ListingAsk.Entries(after, LOOK_ENTRIES);
    }
    int end = Math.min(page.size(), given + PIECE_ENTRIES);
    return new ListingAsk.Held(new SitePage(page.subList(given, end), Optional.empty()));
  }

  @Override
  public void take(Listing.Names names) {
    Invariants.check(false, "names for a page that is sorted here");
  }

  @Override
  public @Nullable List<SitePage.Entry> take(SitePage entries) {
    if (complete) {
      given += entries.entries().size();
      return entries.entries();
    }
    entries.entries().forEach(this::look);
    after = entries.nextAfter().orElse(null);
    if (after == null) {
      complete = true;
      page.addAll(nearest);
      page.sort(order);
      nearest.clear();
    }
    return null;
  }

  private void look(SitePage.Entry entry) {
    if (cursor != null && nearer.compare(query.order().place(entry), cursor) <= 0) {
      behind = true;
      return;
    }
    nearest.add(entry);
    if (nearest.size() > query.entries()) {
      nearest.remove();
      beyond = true;
    }
  }

  @Override
  public boolean isEnded() {
    return complete && given == page.size();
  }

  @Override
  public @Nullable String previous() {
    if (!(before ? beyond : behind)) {
      return null;
    }
    return page.isEmpty() ? query.last() : query.previous(query.order().place(page.getFirst()));
  }

  @Override
  public @Nullable String next() {
    if (!(before ? behind : beyond)) {
      return null;
    }
    return page.isEmpty() ? query.first() : query.next(query.order().place(page.getLast()));
  }

  @Override
  public int heldBytes() {
    return query.entries() * ENTRY_BYTES;
  }
}
