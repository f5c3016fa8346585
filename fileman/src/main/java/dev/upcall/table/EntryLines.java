package dev.upcall.table;

import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import dev.upcall.UpcallReads;
import dev.upcall.request.TablePage;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * The entries of a table as lines of JSON ({@link EntryLine}), or their values alone. Values that
 * are content are read when they are asked for, up to {@link #MAX_VALUE_BYTES}; larger ones are
 * left out, and so are those that cannot be read. One thread.
 */
public final class EntryLines {
  /** The largest value that stands in a line. */
  public static final int MAX_VALUE_BYTES = 4 << 20;

  private final UpcallReads store;
  private final StorePath table;
  private final BiConsumer<? super StorePath, ? super UpcallException> unreadable;
  private long tooLarge;
  private long damaged;

  /** The parts of an entry that could be read. */
  public sealed interface Value {
    /**
     * Its value.
     *
     * @param bytes the caller's
     */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares values
    record Whole(byte[] bytes) implements Value {
      /** Checks that nothing is missing. */
      public Whole {
        Objects.requireNonNull(bytes, "bytes");
      }
    }

    /** The entry, whose value is left out. */
    record LeftOut() implements Value {}

    /** Nothing: it has gone since its page was read. */
    record Gone() implements Value {}
  }

  /**
   * The entries of a table.
   *
   * @param unreadable hears of each value that cannot be read, by its path, and why
   */
  public EntryLines(
      UpcallReads store,
      StorePath table,
      BiConsumer<? super StorePath, ? super UpcallException> unreadable) {
    this.store = Objects.requireNonNull(store, "store");
    this.table = Objects.requireNonNull(table, "table");
    this.unreadable = Objects.requireNonNull(unreadable, "unreadable");
  }

  /**
   * The value of an entry, which is left out, and counted, if it is too large for a line or cannot
   * be read: it costs no other entry.
   */
  public Value value(TablePage.Entry entry) {
    if (Objects.requireNonNull(entry, "entry").valueBytes() > MAX_VALUE_BYTES) {
      tooLarge++;
      return new Value.LeftOut();
    }
    if (!entry.isContent()) {
      return new Value.Whole(entry.value());
    }
    StorePath value = table.entry(entry.key());
    try {
      return new Value.Whole(store.readAllBytes(value));
    } catch (UpcallException.NotFound goneMeanwhile) {
      return new Value.Gone();
    } catch (UpcallException.Corrupt | UpcallException.Device failed) {
      damaged++;
      unreadable.accept(value, failed);
      return new Value.LeftOut();
    }
  }

  /**
   * The line of an entry, without an end of line; none where the entry has gone since.
   *
   * @param hex whether key and value are in hexadecimal whatever they are
   */
  public Optional<String> line(TablePage.Entry entry, boolean hex) {
    return switch (value(entry)) {
      case Value.Whole(byte[] value) ->
          Optional.of(hex ? EntryLine.ofHex(entry.key(), value) : EntryLine.of(entry.key(), value));
      case Value.LeftOut _ -> Optional.of(EntryLine.leftOut(entry.key(), entry.valueBytes(), hex));
      case Value.Gone _ -> Optional.empty();
    };
  }

  /** How many values were too large for a line. */
  public long tooLarge() {
    return tooLarge;
  }

  /** How many values could not be read. */
  public long unreadable() {
    return damaged;
  }

  /** In words, how many values were left out, and why; none if that is none. */
  public Optional<String> problem() {
    return tooLarge + damaged == 0
        ? Optional.empty()
        : Optional.of(
            "values are left out: %d of more than %d bytes, %d that cannot be read"
                .formatted(tooLarge, MAX_VALUE_BYTES, damaged));
  }
}
