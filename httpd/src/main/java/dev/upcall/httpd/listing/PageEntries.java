package dev.upcall.httpd.listing;

import dev.upcall.Listing;
import dev.upcall.httpd.SitePage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The entries of one page, found piece by piece. */
interface PageEntries {
  /** Entries of one piece: rendering them takes some tens of microseconds. */
  int PIECE_ENTRIES = 64;

  /** The entries that a query asks for. */
  static PageEntries of(ListingQuery query) {
    return query.order().isByName() ? new EntriesByName(query) : new SortedEntries(query);
  }

  /** What is needed next; not asked at the end. */
  ListingAsk ask();

  /** Takes names that were asked for. */
  void take(Listing.Names names);

  /** Takes entries that were asked for: a piece of the page, or null if more is needed before. */
  @Nullable List<SitePage.Entry> take(SitePage entries);

  /** Whether the last piece was taken. */
  boolean isEnded();

  /** A reference to the page in front of this one, or null. Known with the first piece. */
  @Nullable String previous();

  /** A reference to the page behind this one, or null. Known at the end. */
  @Nullable String next();

  /** The most bytes that are held from the first piece to the last, beside a piece. */
  int heldBytes();
}
