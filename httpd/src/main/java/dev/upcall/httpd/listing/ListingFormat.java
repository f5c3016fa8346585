package dev.upcall.httpd.listing;

import dev.upcall.fileman.FileInfo;
import dev.upcall.httpd.LinkTarget;
import org.jspecify.annotations.Nullable;

/**
 * How a page of a directory is written: a head, entries, a foot, appended to a text piece by piece.
 * Keeps nothing between calls.
 */
interface ListingFormat {
  /** The format that a query asks for. */
  static ListingFormat of(ListingQuery query) {
    return query.json() ? new JsonListing() : new HtmlListing(query.elsewhere());
  }

  /**
   * What stands before the entries.
   *
   * @param path of the directory, "/" for the root
   */
  void head(StringBuilder out, String path, ListingQuery query);

  /**
   * One entry.
   *
   * @param first whether none was written before it on this page
   * @param link where it leads if it is a symbolic link, else null
   */
  void entry(StringBuilder out, boolean first, FileInfo entry, @Nullable LinkTarget link);

  /**
   * What stands behind the entries.
   *
   * @param entries how many there were on this page
   * @param next a reference to the next page, or null when this is the last one
   */
  void foot(StringBuilder out, int entries, ListingQuery query, @Nullable String next);
}
