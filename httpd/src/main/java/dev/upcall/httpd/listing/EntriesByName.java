package dev.upcall.httpd.listing;

import dev.upcall.Listing;
import dev.upcall.Listing.Direction;
import dev.upcall.httpd.SitePage;
import dev.upcall.httpd.listing.ListingOrder.Place;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Entries in the order of their names, as the store has them, or in the opposite one: nothing is
 * held of a piece that was taken. A page in front of a name is one behind another, which names
 * alone tell; so do they when the store's order is not the page's.
 */
final class EntriesByName implements PageEntries {
  private final ListingQuery query;
  private final Direction direction;

  /** The most entries of the page. */
  private int pageEntries;

  /**
   * Names from the cursor back that are still to be passed; 0 when the page's beginning is known.
   */
  private int toPass;

  /** The last name that was passed. */
  private @Nullable String passed;

  /** Behind which name the page begins, or null when no entry is in front of it. */
  private @Nullable String start;

  /** Behind which name the next piece begins. */
  private @Nullable String after;

  private @Nullable DescendingPiece descending;
  private @Nullable String firstName;
  private @Nullable String lastName;
  private int given;
  private boolean more = true;

  /**
   * The next piece of a page that descends.
   *
   * @param names in it
   * @param floor the first name below it, or null
   */
  private record DescendingPiece(Set<String> names, @Nullable String floor) {}

  EntriesByName(ListingQuery query) {
    this.query = query;
    this.pageEntries = query.entries();
    this.direction = query.order().descending() ? Direction.DESCENDING : Direction.ASCENDING;
    ListingQuery.Cursor cursor = query.cursor();
    Place place = cursor == null ? null : cursor.place();
    String name = place == null ? null : place.name();
    if (cursor != null && cursor.before()) {
      passed = name;
      toPass = pageEntries + 1;
    } else {
      start = name;
      after = name;
    }
  }

  @Override
  public ListingAsk ask() {
    if (toPass > 0) {
      int limit = Math.min(toPass, Listing.MAX_ENTRIES);
      return new ListingAsk.Names(
          new Listing.Range(Optional.ofNullable(passed), direction.opposite(), limit));
    }
    if (direction == Direction.ASCENDING) {
      return new ListingAsk.Entries(after, Math.max(1, pieceEntries()));
    }
    return descending == null
        ? new ListingAsk.Names(
            new Listing.Range(Optional.ofNullable(after), direction, pieceEntries() + 1))
        : new ListingAsk.Entries(descending.floor(), Math.max(1, descending.names().size()));
  }

  private int pieceEntries() {
    return Math.min(PIECE_ENTRIES, pageEntries - given);
  }

  @Override
  public void take(Listing.Names found) {
    if (toPass > 0) {
      pass(found);
      return;
    }
    List<String> names = found.names();
    int count = Math.min(names.size(), pieceEntries());
    after = count == 0 ? after : names.get(count - 1);
    descending =
        new DescendingPiece(
            new HashSet<>(names.subList(0, count)), names.size() > count ? names.get(count) : null);
  }

  private void pass(Listing.Names found) {
    toPass -= found.names().size();
    passed = found.names().isEmpty() ? passed : found.names().getLast();
    if (toPass == 0) {
      start = passed;
      after = passed;
    } else if (!found.hasMore()) {
      pageEntries = query.entries() + 1 - toPass; // the first page, up to the cursor
      toPass = 0;
    }
  }

  @Override
  public List<SitePage.Entry> take(SitePage entries) {
    List<SitePage.Entry> piece = entries.entries();
    if (descending == null) {
      int left = pageEntries - given;
      more = entries.hasMore() || left < piece.size();
      piece = piece.subList(0, Math.min(left, piece.size()));
      after = entries.nextAfter().orElse(null);
    } else {
      // Between the names and this look entries may have come.
      Set<String> names = descending.names();
      piece = piece.stream().filter(entry -> names.contains(entry.name())).toList().reversed();
      more = descending.floor() != null;
      descending = null;
    }
    given += piece.size();
    if (!piece.isEmpty()) {
      firstName = firstName == null ? piece.getFirst().name() : firstName;
      lastName = piece.getLast().name();
    }
    return piece;
  }

  @Override
  public boolean isEnded() {
    return !more || given >= pageEntries;
  }

  @Override
  public @Nullable String previous() {
    if (start == null) {
      return null;
    }
    return firstName == null ? query.last() : query.previous(new Place(0, firstName));
  }

  @Override
  public @Nullable String next() {
    if (!more) {
      return null;
    }
    return lastName == null ? query.first() : query.next(new Place(0, lastName));
  }

  @Override
  public int heldBytes() {
    return 0;
  }
}
