package dev.upcall.tree;

import dev.upcall.base.Invariants;

/**
 * The geometry of all trees of one volume. Everything that the simulator wants small can be made
 * small; the relations between the values are checked here once.
 *
 * @param volumeId written into each page and demanded back
 * @param pageBytes the size of a page, one block of the volume
 * @param maxLeafEntries the most entries in a leaf, however small they are; at least 4
 * @param maxInnerEntries the most children of an inner page; at least 4
 * @param maxKeyBytes the longest key
 * @param maxValueBytes the longest value
 */
public record TreeConfig(
    long volumeId,
    int pageBytes,
    int maxLeafEntries,
    int maxInnerEntries,
    int maxKeyBytes,
    int maxValueBytes) {
  /** Checks that a page that is too full can always be split into two that are not. */
  public TreeConfig {
    Invariants.check(pageBytes >= 512 && pageBytes <= 32768, "page size", pageBytes);
    Invariants.check(maxLeafEntries >= 4, "leaf entries", maxLeafEntries);
    Invariants.check(maxInnerEntries >= 4, "inner entries", maxInnerEntries);
    Invariants.check(maxKeyBytes > 0 && maxValueBytes >= 0, "limits", maxKeyBytes, maxValueBytes);
    int room = pageBytes - Page.HEADER_BYTES;
    Invariants.check(
        3 * Page.entryBytes(maxKeyBytes, maxValueBytes) <= 2 * room,
        "entries too large for the page",
        maxKeyBytes,
        maxValueBytes);
    Invariants.check(
        5 * Page.entryBytes(maxKeyBytes, PageRef.ENCODED_BYTES) <= room,
        "keys too large for an inner page of five",
        maxKeyBytes);
  }

  /** The geometry of a real volume: pages of 4 KiB, keys up to 300 bytes, values up to 1200. */
  public static TreeConfig standard(long volumeId) {
    return new TreeConfig(volumeId, 4096, 1024, 1024, 300, 1200);
  }

  /** The standard geometry with at most so many entries in every page. */
  public static TreeConfig ofFanOut(long volumeId, int maxEntries) {
    return new TreeConfig(volumeId, 4096, maxEntries, maxEntries, 300, 1200);
  }

  /** Whether inner pages are full by number of entries before they are full by bytes, always. */
  boolean isInnerLimitedByCount() {
    return maxInnerEntries * Page.entryBytes(maxKeyBytes, PageRef.ENCODED_BYTES)
        <= pageBytes - Page.HEADER_BYTES;
  }

  int maxEntries(int level) {
    return level == 0 ? maxLeafEntries : maxInnerEntries;
  }

  /**
   * Whether a page takes one more entry.
   *
   * @param entries how many it has
   * @param bytes what all take then
   */
  boolean fits(int level, int entries, int bytes) {
    return entries < maxEntries(level) && bytes <= pageBytes - Page.HEADER_BYTES;
  }
}
