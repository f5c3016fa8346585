package dev.upcall.io.schedule;

import java.util.Iterator;
import java.util.LinkedHashMap;

/** What is known of askers: of a bounded number, and of those who ask rarely the least. */
public final class AskerHistories {
  private static final int MAX_ASKERS = 1024;

  private final long maxThinkNanos;

  /** Who has asked last stands last. */
  private final LinkedHashMap<Integer, AskerHistory> known =
      new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true);

  public AskerHistories(long maxThinkNanos) {
    this.maxThinkNanos = maxThinkNanos;
  }

  public AskerHistory of(int asker) {
    AskerHistory history = known.get(asker);
    if (history == null) {
      forgetOne();
      history = new AskerHistory(maxThinkNanos);
      known.put(asker, history);
    }
    return history;
  }

  private void forgetOne() {
    Iterator<AskerHistory> each = known.values().iterator();
    while (known.size() >= MAX_ASKERS && each.hasNext()) {
      if (!each.next().isInside()) {
        each.remove();
      }
    }
  }
}
