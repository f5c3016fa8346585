package dev.upcall.httpd.listing;

import dev.upcall.httpd.LinkTarget;
import dev.upcall.httpd.SitePage;
import org.jspecify.annotations.Nullable;

/**
 * How a page of a directory is written: a head, entries, a foot, appended to a text piece by piece.
 */
interface ListingFormat {
  /** The format that a query asks for. */
  static ListingFormat of(ListingQuery query) {
    return query.json() ? new JsonListing(query) : new HtmlListing(query);
  }

  /**
   * What stands before the entries.
   *
   * @param path of the directory, "/" for the root
   * @param count of all entries, or null when they were not counted
   * @param previous a reference to the page in front, or null when this is the first one
   */
  void head(StringBuilder out, String path, @Nullable EntryCount count, @Nullable String previous);

  /**
   * One entry; of one that cannot be read, its name and that.
   *
   * @param first whether none was written before it on this page
   * @param link where it leads if it is a symbolic link, else null
   */
  void entry(StringBuilder out, boolean first, SitePage.Entry entry, @Nullable LinkTarget link);

  /**
   * What stands behind the entries.
   *
   * @param entries how many there were on this page
   * @param previous as in the head
   * @param next a reference to the next page, or null when this is the last one
   */
  void foot(StringBuilder out, int entries, @Nullable String previous, @Nullable String next);
}
