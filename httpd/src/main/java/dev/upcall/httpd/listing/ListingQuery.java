package dev.upcall.httpd.listing;

import dev.upcall.base.Invariants;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.listing.ListingOrder.Column;
import dev.upcall.httpd.listing.ListingOrder.Place;
import dev.upcall.httpd.message.Acceptance;
import dev.upcall.httpd.message.PercentCoding;
import dev.upcall.httpd.message.Request;
import dev.upcall.httpd.message.RequestTarget;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which page of a directory a request asks for, and how it wants to have it.
 *
 * @param order of the entries
 * @param cursor where the page lies, or null for the first one
 * @param size how many entries at most
 * @param json whether it is for a program
 * @param snapshot in which snapshot it looks, or null
 */
public record ListingQuery(
    ListingOrder order,
    @Nullable Cursor cursor,
    Size size,
    boolean json,
    @Nullable String snapshot) {
  /** The parameter that names a snapshot, for files too. */
  public static final String SNAPSHOT = "snapshot";

  /** The most entries of a page that is sorted here, since they are held until they are sent. */
  static final int MAX_SORTED_PAGE_ENTRIES = 1000;

  private static final String AFTER = "after";
  private static final String BEFORE = "before";
  private static final String LIMIT = "limit";
  private static final String SORT = "sort";
  private static final String ORDER = "order";
  private static final String ASCENDING = "asc";
  private static final String DESCENDING = "desc";
  private static final List<String> PARAMETERS =
      List.of(AFTER, BEFORE, LIMIT, SORT, ORDER, SNAPSHOT);

  /** Stands between the value and the name of a place. */
  private static final char BEHIND_VALUE = ':';

  private static final int MAX_DIGITS = 9;

  /**
   * Where a page lies.
   *
   * @param before whether it ends in front of the place, instead of beginning behind it
   * @param place not itself on the page, and nothing need be there; null for the end
   */
  public record Cursor(boolean before, @Nullable Place place) {}

  /**
   * How many entries a page has at most.
   *
   * @param limited whether the client said how many
   */
  public record Size(int entries, boolean limited) {}

  /**
   * Reads the query {@code ?sort=COLUMN&order=desc&after=PLACE&limit=N}, each of them once at most;
   * other parameters mean nothing.
   *
   * @param usualEntries of a page when the client says nothing
   * @return null when one of them cannot be read
   */
  static @Nullable public ListingQuery of(Request asked, int usualEntries) {
    RequestTarget target = Invariants.present(asked.target(), "target of a listing");
    for (String parameter : PARAMETERS) {
      if (target.isRepeated(parameter)
          || (target.hasParameter(parameter) && target.parameter(parameter) == null)) {
        return null;
      }
    }
    ListingOrder order = order(target);
    Size size = order == null ? null : size(target, order, usualEntries);
    if (order == null || size == null || (has(target, AFTER) && has(target, BEFORE))) {
      return null;
    }
    Cursor cursor = null;
    if (has(target, AFTER) || target.hasParameter(BEFORE)) {
      boolean before = !has(target, AFTER);
      String text = Invariants.present(target.parameter(before ? BEFORE : AFTER), "a place");
      cursor = new Cursor(before, text.isEmpty() ? null : place(order, text));
      if (cursor.place() == null && !text.isEmpty()) {
        return null;
      }
    }
    return new ListingQuery(
        order, cursor, size, Acceptance.prefersJson(asked.accept()), target.parameter(SNAPSHOT));
  }

  /** Whether a parameter says something. */
  private static boolean has(RequestTarget target, String parameter) {
    String value = target.parameter(parameter);
    return value != null && !value.isEmpty();
  }

  private static @Nullable ListingOrder order(RequestTarget target) {
    Column column = target.hasParameter(SORT) ? Column.of(target.parameter(SORT)) : Column.NAME;
    String direction = target.hasParameter(ORDER) ? target.parameter(ORDER) : ASCENDING;
    boolean descending = DESCENDING.equals(direction);
    return column == null || !(descending || ASCENDING.equals(direction))
        ? null
        : new ListingOrder(column, descending);
  }

  private static @Nullable Size size(RequestTarget target, ListingOrder order, int usualEntries) {
    boolean limited = target.hasParameter(LIMIT);
    int wanted = limited ? number(target.parameter(LIMIT)) : usualEntries;
    int most =
        order.isByName()
            ? Math.max(usualEntries, HttpConfig.MAX_LISTING_ENTRIES)
            : MAX_SORTED_PAGE_ENTRIES;
    return wanted < 1 ? null : new Size(Math.min(wanted, most), limited);
  }

  private static @Nullable Place place(ListingOrder order, String text) {
    if (order.isByName()) {
      return new Place(0, text);
    }
    int end = text.indexOf(BEHIND_VALUE);
    try {
      return end < 0 || end == text.length() - 1 || text.charAt(0) == '+'
          ? null
          : new Place(Long.parseLong(text, 0, end, 10), text.substring(end + 1));
    } catch (NumberFormatException notOne) {
      return null;
    }
  }

  /** How many entries the page has at most. */
  public int entries() {
    return size.entries();
  }

  /** What a reference to another path needs, to stay in the same snapshot. */
  String elsewhere() {
    return snapshot == null ? "" : "?" + SNAPSHOT + "=" + PercentCoding.encodeName(snapshot);
  }

  /** A reference to the directory's first page like this one, relative to any of its pages. */
  public String first() {
    return reference(order, null);
  }

  /** The same to its last page. */
  public String last() {
    return reference(order, new Cursor(true, null));
  }

  /** The same to the page behind an entry. */
  public String next(Place last) {
    return reference(order, new Cursor(false, last));
  }

  /** The same to the page in front of an entry. */
  public String previous(Place first) {
    return reference(order, new Cursor(true, first));
  }

  /** The same to the first page in another order. */
  String in(ListingOrder other) {
    return reference(other, null);
  }

  private String reference(ListingOrder in, @Nullable Cursor at) {
    StringBuilder out = new StringBuilder();
    if (in.column() != Column.NAME) {
      add(out, SORT, in.column().word());
    }
    if (in.descending()) {
      add(out, ORDER, DESCENDING);
    }
    if (at != null) {
      Place place = at.place();
      String value = in.isByName() || place == null ? "" : place.value() + "" + BEHIND_VALUE;
      add(out, at.before() ? BEFORE : AFTER, place == null ? "" : value + place.name());
    }
    if (size.limited()) {
      add(out, LIMIT, Integer.toString(size.entries()));
    }
    if (snapshot != null) {
      add(out, SNAPSHOT, snapshot);
    }
    return out.isEmpty() ? "./" : out.toString();
  }

  private static void add(StringBuilder out, String parameter, String value) {
    out.append(out.isEmpty() ? '?' : '&').append(parameter).append('=');
    out.append(PercentCoding.encodeName(value));
  }

  /** The number, or -1 for what is none; larger ones than can be meant are cut. */
  private static int number(@Nullable String text) {
    if (text == null || text.isEmpty() || text.length() > MAX_DIGITS) {
      return -1;
    }
    int value = 0;
    for (int i = 0; i < text.length(); i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      value = value * 10 + digit;
    }
    return value;
  }
}
