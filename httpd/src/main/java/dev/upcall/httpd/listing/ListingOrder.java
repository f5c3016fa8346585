package dev.upcall.httpd.listing;

import dev.upcall.FileInfo;
import dev.upcall.Listing;
import dev.upcall.httpd.SitePage;
import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The order of a page's entries; those that are alike in it stand in the order of their names.
 *
 * @param column what counts
 * @param descending whether what is more comes first
 */
public record ListingOrder(Column column, boolean descending) {
  /** The order in which a directory keeps its entries. */
  static final ListingOrder BY_NAME = new ListingOrder(Column.NAME, false);

  /** A column of the page. */
  public enum Column {
    /** The name's UTF-8 bytes. */
    NAME("name"),
    /** The bytes of a file; what is none, a link included, has less than an empty one. */
    SIZE("size"),
    /** When its content changed last; for a link the link's own. */
    MODIFIED("modified");

    private final String word;

    Column(String word) {
      this.word = word;
    }

    /** As a query says it. */
    String word() {
      return word;
    }

    /** The column that a query says, or null. */
    static @Nullable Column of(@Nullable String word) {
      return Arrays.stream(values()).filter(one -> one.word.equals(word)).findFirst().orElse(null);
    }
  }

  /**
   * Where an entry stands in an order.
   *
   * @param value what the column has; 0 where only the name counts
   */
  public record Place(long value, String name) {}

  /** Whether the store has the entries in this order. */
  boolean isByName() {
    return column == Column.NAME;
  }

  /** Where an entry stands: one that cannot be read has less than any other. */
  Place place(SitePage.Entry entry) {
    return new Place(
        entry.info().map(this::value).orElse(column == Column.NAME ? 0 : Long.MIN_VALUE),
        entry.name());
  }

  private long value(FileInfo info) {
    return switch (column) {
      case NAME -> 0;
      case SIZE -> info.isFile() ? info.sizeBytes() : -1;
      case MODIFIED -> info.times().modifiedNanos();
    };
  }

  /** From the first place to the last. */
  Comparator<Place> comparator() {
    Comparator<Place> ascending =
        Comparator.comparingLong(Place::value).thenComparing(Place::name, Listing::compareNames);
    return descending ? ascending.reversed() : ascending;
  }
}
