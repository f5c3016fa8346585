package dev.upcall.httpd.listing;

import dev.upcall.Listing;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Counts the entries of a directory, up to a bound, without a look at them. */
final class EntryCount {
  /** Counting so many takes the store about 10 ms, in turns like all others. */
  static final int MAX_COUNTED = 250_000;

  private final int bound;
  private @Nullable String last;
  private int total;
  private boolean more = true;

  /**
   * Counts nothing yet.
   *
   * @param bound where it stops
   */
  EntryCount(int bound) {
    this.bound = bound;
  }

  /** What it needs next, or null when it is done. */
  @Nullable ListingAsk ask() {
    int left = Math.min(bound - total, Listing.MAX_ENTRIES);
    return more && left > 0
        ? new ListingAsk.Names(
            new Listing.Range(Optional.ofNullable(last), Listing.Direction.ASCENDING, left))
        : null;
  }

  /** Takes names that have come. */
  void take(Listing.Names names) {
    total += names.names().size();
    more = names.hasMore();
    last = names.names().isEmpty() ? last : names.names().getLast();
  }

  /** How many there are, or at least are. */
  int total() {
    return total;
  }

  /** Whether there may be more than were counted. */
  boolean isBounded() {
    return more;
  }
}
