package dev.upcall.journal.recording;

import java.nio.ByteBuffer;
import java.util.List;

/** The memory of a running store's flight recorder. Any thread; nothing of it waits. */
public interface RecordSource {
  /**
   * Copies records, as many as are there and fit, and moves the buffer's position behind them.
   * Records that are overwritten before they could be copied are left out; they are older than all
   * that is copied.
   *
   * @param sequence the first record that is wanted
   * @param to little-endian
   * @return the number of the record behind the last copied one
   */
  long copySince(long sequence, ByteBuffer to);

  /** How many records it keeps before it overwrites the oldest. */
  int recordsKept();

  /** The names that records mention by number; it only grows. */
  List<String> names();

  /** The clock of the records. */
  long clockNanos();

  /** The time of day, since 1970. */
  long epochNanos();
}
