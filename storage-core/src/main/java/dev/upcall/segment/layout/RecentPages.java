package dev.upcall.segment.layout;

import java.util.LinkedHashMap;
import java.util.Map;

/** What was opened last, by the first block of its root; a bounded number. */
final class RecentPages<T> extends LinkedHashMap<Long, T> {
  private static final long serialVersionUID = 1L;

  private static final int MIN_OPEN = 256;
  private static final int MAX_OPEN = 1 << 20;

  private final int limit;

  /** Remembers as many as could have a page in memory, if all have one. */
  RecentPages(long pages) {
    super(MIN_OPEN, 0.75f, true);
    this.limit = Math.clamp(pages, MIN_OPEN, MAX_OPEN);
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<Long, T> eldest) {
    return size() > limit;
  }
}
