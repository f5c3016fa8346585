package dev.upcall.request;

import java.util.List;
import java.util.Objects;

/**
 * Some entries of a table, all as of one commit.
 *
 * @param entries in the direction that was asked for
 * @param hasMore whether the range has more behind them
 */
public record TablePage(List<Entry> entries, boolean hasMore) {
  /** Copies the list. */
  public TablePage {
    entries = List.copyOf(Objects.requireNonNull(entries, "entries"));
  }

  /** A key and its value, the caller's own. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares entries
  public record Entry(byte[] key, byte[] value) {
    /** Checks that nothing is missing. */
    public Entry {
      Objects.requireNonNull(key, "key");
      Objects.requireNonNull(value, "value");
    }
  }
}
