package dev.upcall.httpd;

import dev.upcall.FileInfo;
import dev.upcall.Listing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A page of a directory as a site shows it: also those entries of which nothing can be read but
 * their names.
 *
 * @param entries in the order of their names
 * @param nextAfter the name behind which the directory goes on; nothing at its end
 */
public record SitePage(List<Entry> entries, Optional<String> nextAfter) {
  /** Copies the list. */
  public SitePage {
    entries = List.copyOf(Objects.requireNonNull(entries, "entries"));
    Objects.requireNonNull(nextAfter, "nextAfter");
  }

  /**
   * An entry of a directory.
   *
   * @param name in the directory
   * @param info what it is; nothing where the volume is damaged there
   */
  public record Entry(String name, Optional<FileInfo> info) {
    /** Checks that nothing is missing. */
    public Entry {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(info, "info");
    }

    /** One that can be read. */
    public static Entry of(FileInfo info) {
      return new Entry(Objects.requireNonNull(info, "info").name(), Optional.of(info));
    }
  }

  /** A page all of whose entries can be read. */
  public static SitePage of(Listing page) {
    return of(page, List.of());
  }

  /**
   * A page, and what is missing in it.
   *
   * @param unreadable the names of those entries of which nothing else can be read
   */
  public static SitePage of(Listing page, List<String> unreadable) {
    Objects.requireNonNull(page, "page");
    Objects.requireNonNull(unreadable, "unreadable");
    List<Entry> all = new ArrayList<>(page.entries().size() + unreadable.size());
    page.entries().forEach(info -> all.add(Entry.of(info)));
    if (!unreadable.isEmpty()) {
      unreadable.forEach(name -> all.add(new Entry(name, Optional.empty())));
      all.sort(Comparator.comparing(Entry::name, Listing::compareNames));
    }
    return new SitePage(all, page.nextAfter());
  }

  /** Whether more entries follow. */
  public boolean hasMore() {
    return nextAfter.isPresent();
  }
}
