package dev.upcall.request;

import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import dev.upcall.config.Limits;
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

  /**
   * A key and its value, the caller's own.
   *
   * @param value empty where the value is content, which is read by its path ({@link
   *     StorePath#entry})
   * @param valueBytes how many bytes the value has
   */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares entries
  public record Entry(byte[] key, byte[] value, long valueBytes) {
    /** Checks that nothing is missing. */
    public Entry {
      Objects.requireNonNull(key, "key");
      Objects.requireNonNull(value, "value");
      Limits.within("valueBytes", valueBytes, value.length, Long.MAX_VALUE);
    }

    /** One whose value is here. */
    public Entry(byte[] key, byte[] value) {
      this(key, value, Objects.requireNonNull(value, "value").length);
    }

    /** Whether the value is content, and not here. */
    public boolean isContent() {
      return valueBytes > value.length;
    }

    /** The value; that of content is {@code TooLarge}, so that nobody takes it for an empty one. */
    @Override
    public byte[] value() {
      if (isContent()) {
        throw UpcallException.of(
            new Failure.TooLarge(
                "the value of an entry, which is read by its path,",
                valueBytes,
                TableRequest.MAX_VALUE_BYTES));
      }
      return value;
    }
  }
}
