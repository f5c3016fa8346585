package dev.upcall.journal.trace;

import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;

/**
 * How much there is.
 *
 * @param records by what they tell of; kinds of which there is none are left out
 * @param firstNanos the time of the first record, 0 when there is none
 * @param lastNanos the time of the last one
 */
public record Overview(Map<TraceKind, Long> records, long firstNanos, long lastNanos) {
  /** Looks at all records. */
  public static Overview of(TraceSource.Cursor records) throws IOException {
    Counting counting = new Counting();
    records.read(counting::take);
    return new Overview(counting.counts, counting.first, counting.last);
  }

  /** All of them. */
  public long count() {
    return records.values().stream().mapToLong(Long::longValue).sum();
  }

  private static final class Counting {
    private final Map<TraceKind, Long> counts = new EnumMap<>(TraceKind.class);
    private long first;
    private long last;

    private void take(TraceRecord one) {
      if (counts.isEmpty()) {
        first = one.atNanos();
      }
      counts.merge(one.kind(), 1L, Long::sum);
      last = Math.max(last, one.atNanos());
    }
  }
}
