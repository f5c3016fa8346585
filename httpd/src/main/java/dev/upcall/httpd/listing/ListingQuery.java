package dev.upcall.httpd.listing;

import dev.upcall.base.Invariants;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.message.Acceptance;
import dev.upcall.httpd.message.PercentCoding;
import dev.upcall.httpd.message.Request;
import dev.upcall.httpd.message.RequestTarget;
import org.jspecify.annotations.Nullable;

/**
 * Which page of a directory a request asks for, and how it wants to have it.
 *
 * @param after the name behind which the page begins (it need not exist), or null for the first
 *     page
 * @param entries how many at most
 * @param limited whether the client said how many
 * @param json whether it is for a program
 * @param snapshot in which snapshot it looks, or null
 */
public record ListingQuery(
    @Nullable String after, int entries, boolean limited, boolean json, @Nullable String snapshot) {
  /** The parameter that names a snapshot, for files too. */
  public static final String SNAPSHOT = "snapshot";

  private static final String AFTER = "after";
  private static final String LIMIT = "limit";
  private static final int MAX_DIGITS = 9;

  /**
   * Reads the query {@code ?after=NAME&limit=N}; other parameters mean nothing.
   *
   * @param usualEntries of a page when the client says nothing
   * @return null when one of the two cannot be read
   */
  static @Nullable public ListingQuery of(Request asked, int usualEntries) {
    RequestTarget target = Invariants.present(asked.target(), "target of a listing");
    String after = null;
    if (target.hasParameter(AFTER)) {
      after = target.parameter(AFTER);
      if (after == null) {
        return null;
      }
    }
    boolean limited = target.hasParameter(LIMIT);
    int entries = limited ? number(target.parameter(LIMIT)) : usualEntries;
    if (entries < 1) {
      return null;
    }
    return new ListingQuery(
        after == null || after.isEmpty() ? null : after,
        Math.min(entries, Math.max(usualEntries, HttpConfig.MAX_LISTING_ENTRIES)),
        limited,
        Acceptance.prefersJson(asked.accept()),
        target.hasParameter(SNAPSHOT) ? target.parameter(SNAPSHOT) : null);
  }

  /** What a reference to another path needs, to stay in the same snapshot. */
  String elsewhere() {
    return snapshot == null ? "" : "?" + SNAPSHOT + "=" + PercentCoding.encodeName(snapshot);
  }

  private String staying(String reference) {
    return snapshot == null
        ? reference
        : reference + "&" + SNAPSHOT + "=" + PercentCoding.encodeName(snapshot);
  }

  /**
   * A reference to the directory's first page with the same limit, relative to any of its pages.
   */
  public String first() {
    return limited ? staying("?" + LIMIT + "=" + entries) : "./" + elsewhere();
  }

  /** The same to the page behind a name. */
  public String next(String lastName) {
    String next = "?" + AFTER + "=" + PercentCoding.encodeName(lastName);
    return staying(limited ? next + "&" + LIMIT + "=" + entries : next);
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
