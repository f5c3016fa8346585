package dev.upcall.table;

import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import dev.upcall.UpcallReads;
import dev.upcall.request.TablePage;
import java.util.Objects;
import java.util.Optional;

/**
 * The entries of a table as lines of JSON ({@link EntryLine}), or their values alone. Values that
 * are content are read when they are asked for, up to {@link #MAX_VALUE_BYTES}; larger ones are
 * left out. Entries that are left out are counted. One thread.
 */
public final class EntryLines {
  /** The largest value that stands in a line. */
  public static final int MAX_VALUE_BYTES = 4 << 20;

  private final UpcallReads store;
  private final StorePath table;
  private long leftOut;
  private long unreadable;

  /** The entries of a table. */
  public EntryLines(UpcallReads store, StorePath table) {
    this.store = Objects.requireNonNull(store, "store");
    this.table = Objects.requireNonNull(table, "table");
  }

  /** Whether the value of an entry is too large for a line, and so left out: that is counted. */
  public boolean leavesOut(TablePage.Entry entry) {
    boolean isTooLarge = Objects.requireNonNull(entry, "entry").valueBytes() > MAX_VALUE_BYTES;
    leftOut += isTooLarge ? 1 : 0;
    return isTooLarge;
  }

  /** The value of an entry that is not left out; none where the entry has gone since. */
  public Optional<byte[]> value(TablePage.Entry entry) {
    if (!Objects.requireNonNull(entry, "entry").isContent()) {
      return Optional.of(entry.value());
    }
    try {
      return Optional.of(store.readAllBytes(table.entry(entry.key())));
    } catch (UpcallException.NotFound goneMeanwhile) {
      return Optional.empty();
    }
  }

  /**
   * The line of an entry, without an end of line; none where the entry has gone since. A value that
   * cannot be read is left out, too: it costs no other entry.
   *
   * @param hex whether key and value are in hexadecimal whatever they are
   */
  public Optional<String> line(TablePage.Entry entry, boolean hex) {
    if (leavesOut(entry)) {
      return Optional.of(EntryLine.leftOut(entry.key(), entry.valueBytes(), hex));
    }
    try {
      return value(entry)
          .map(
              value ->
                  hex ? EntryLine.ofHex(entry.key(), value) : EntryLine.of(entry.key(), value));
    } catch (UpcallException.Corrupt | UpcallException.Device damaged) {
      unreadable++;
      return Optional.of(EntryLine.leftOut(entry.key(), entry.valueBytes(), hex));
    }
  }

  /** In words, how many values were left out, and why; none if that is none. */
  public Optional<String> problem() {
    return leftOut + unreadable == 0
        ? Optional.empty()
        : Optional.of(
            "values are left out: %d of more than %d bytes, %d that cannot be read"
                .formatted(leftOut, MAX_VALUE_BYTES, unreadable));
  }
}
