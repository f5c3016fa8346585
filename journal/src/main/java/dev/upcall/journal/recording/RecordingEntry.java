package dev.upcall.journal.recording;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/** What stands in the files of a recording: records as a store keeps them, and their names. */
public sealed interface RecordingEntry {
  /** Bytes of one record. */
  int RECORD_BYTES = 48;

  /** The most records or names in one entry. */
  int MAX_COUNT = 4096;

  /** The most bytes of a name in UTF-8; what is longer is cut. */
  int MAX_NAME_BYTES = 63;

  /** Whose it is, and when it was written. */
  Origin origin();

  /**
   * Which store wrote it, and when.
   *
   * @param run drawn anew each time that a recording begins
   * @param epochNanos the time of day when it was written, since 1970
   * @param clockNanos the clock of the records at that moment
   */
  record Origin(UUID run, long epochNanos, long clockNanos) {
    /** Checks that nothing is missing. */
    public Origin {
      Objects.requireNonNull(run, "run");
    }
  }

  /**
   * Records, one behind the other.
   *
   * @param first the number of the first; what is missing between two entries was not recorded
   * @param bytes {@link #RECORD_BYTES} for each record, between position 0 and the limit; a copy
   *     that nobody changes
   */
  record Records(Origin origin, long first, ByteBuffer bytes) implements RecordingEntry {
    /** Checks its size. */
    public Records {
      Objects.requireNonNull(origin, "origin");
      bytes = bytes.asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
      int count = bytes.limit() / RECORD_BYTES;
      if (bytes.limit() % RECORD_BYTES != 0 || count < 1 || count > MAX_COUNT || first < 0) {
        throw new IllegalArgumentException(
            "%d bytes from number %d on are no records".formatted(bytes.limit(), first));
      }
    }

    /** How many. */
    public int count() {
      return bytes.limit() / RECORD_BYTES;
    }
  }

  /**
   * Names of the numbers in records.
   *
   * @param first the number of the first
   * @param names of that number and those behind it
   */
  record Names(Origin origin, int first, List<String> names) implements RecordingEntry {
    /** Checks their number. */
    public Names {
      Objects.requireNonNull(origin, "origin");
      names = List.copyOf(names);
      if (names.isEmpty() || names.size() > MAX_COUNT || first < 0) {
        throw new IllegalArgumentException(
            "%d names from number %d on".formatted(names.size(), first));
      }
    }
  }
}
