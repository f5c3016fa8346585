package dev.upcall.cli.transfer;

import dev.upcall.fileman.FileInfo;
import dev.upcall.fileman.Listing;
import dev.upcall.fileman.UpcallReads;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a store's directory in their order, page by page, beside a sorted list of names.
 */
final class StoreEntries {
  private static final int PAGE_ENTRIES = 1024;

  private final UpcallReads store;
  private final String directory;
  private Iterator<FileInfo> page = List.<FileInfo>of().iterator();
  private @Nullable String after;
  private boolean more;
  private @Nullable FileInfo head;

  /** An empty one when the directory is not in the store. */
  StoreEntries(UpcallReads store, String directory, boolean inStore) {
    this.store = store;
    this.directory = directory;
    this.more = inStore;
    advance();
  }

  /** Takes the next entry if it sorts before a name. */
  @Nullable FileInfo before(String name) {
    return head != null && Listing.compareNames(head.name(), name) < 0 ? take() : null;
  }

  /** Takes the next entry if it has this name. */
  @Nullable FileInfo named(String name) {
    return head != null && head.name().equals(name) ? take() : null;
  }

  /** Takes the next entry, or null at the end. */
  @Nullable FileInfo rest() {
    return head == null ? null : take();
  }

  private @Nullable FileInfo take() {
    FileInfo taken = head;
    advance();
    return taken;
  }

  private void advance() {
    while (!page.hasNext() && more) {
      Listing listing = store.list(directory, after, PAGE_ENTRIES);
      page = listing.entries().iterator();
      after = listing.nextAfter();
      more = listing.hasMore();
    }
    head = page.hasNext() ? page.next() : null;
  }
}
