package dev.upcall.httpd.listing;

import dev.upcall.Listing;
import dev.upcall.httpd.SitePage;
import org.jspecify.annotations.Nullable;

/** What a page needs next, to be given to it when it has come. */
public sealed interface ListingAsk {
  /** Names of the directory. */
  record Names(Listing.Range range) implements ListingAsk {}

  /** Entries of the directory behind a name. */
  record Entries(@Nullable String after, int limit) implements ListingAsk {
    /** The name as a directory is asked: the empty text is before all. */
    public String afterName() {
      return after == null ? "" : after;
    }
  }

  /** What the page itself has: to be given to it in a turn of its own. */
  record Held(SitePage piece) implements ListingAsk {}
}
