package dev.upcall.fileman.trees;

import dev.upcall.FileInfo;
import dev.upcall.Listing;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a store's directory in their order, page by page, beside a sorted list of names.
 */
final class StoreEntries {
  private final StoreLookAhead store;
  private final String directory;
  private List<FileInfo> page = List.of();
  private int at;
  private String after = "";
  private boolean more;

  /** An empty one when the directory is not in the store. */
  StoreEntries(StoreLookAhead store, String directory, boolean inStore) {
    this.store = store;
    this.directory = directory;
    this.more = inStore;
    fill();
  }

  /** Takes the next entry if it sorts before a name. */
  @Nullable FileInfo before(String name) {
    FileInfo head = head();
    return head != null && Listing.compareNames(head.name(), name) < 0 ? take() : null;
  }

  /** Takes the next entry if it has this name. */
  @Nullable FileInfo named(String name) {
    FileInfo head = head();
    return head != null && head.name().equals(name) ? take() : null;
  }

  /** Takes the next entry, or null at the end. */
  @Nullable FileInfo rest() {
    return head() == null ? null : take();
  }

  /** Has the directory listed that comes next, as far as is known. */
  void lookAhead() {
    for (int i = at; i < page.size(); i++) {
      if (page.get(i).isDirectory()) {
        store.ask(SourceWalk.child(directory, page.get(i).name()), "");
        return;
      }
    }
  }

  private @Nullable FileInfo head() {
    fill();
    return at < page.size() ? page.get(at) : null;
  }

  private FileInfo take() {
    return page.get(at++);
  }

  private void fill() {
    while (at == page.size() && more) {
      Listing listing = store.take(directory, after);
      page = listing.entries();
      at = 0;
      after = listing.nextAfter().orElse(after);
      more = listing.hasMore();
      if (more) {
        store.ask(directory, after);
      }
    }
  }
}
