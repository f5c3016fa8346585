package dev.upcall.journal.trace;

import dev.upcall.journal.recording.RecordSource;
import dev.upcall.journal.recording.RecordingEntry;
import dev.upcall.journal.recording.RecordingReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Where records come from. An analysis may read them several times; files that are still written
 * have more each time.
 */
public interface TraceSource {
  /** Before the first record. */
  Cursor open();

  /** Passes on records, oldest first. */
  interface Cursor {
    /** All that are there behind the last call's; whether there were any. */
    boolean read(Consumer<TraceRecord> to) throws IOException;

    /** The names of all records that were read. */
    List<String> names();

    /** What to add to a record's time for the time of day, when some was read. */
    long epochLessClockNanos();

    /** Records between the first and the last that are not there. */
    long missing();

    /** Entries of files that are damaged, and were passed over. */
    long damaged();
  }

  /** A run in files; what is written meanwhile comes, too. */
  static TraceSource files(Path place, UUID run) {
    return () -> new FileCursor(new RecordingReader(place, run));
  }

  /** The memory of a running store as it is now. */
  static TraceSource memory(RecordSource source, int maxRecords) {
    Snapshot now = Snapshot.of(source, maxRecords);
    return () -> new SnapshotCursor(now);
  }

  /**
   * The memory of a running store, read on as it goes on.
   *
   * @param maxRecords how many it has
   */
  static Cursor following(RecordSource source, int maxRecords) {
    return new MemoryCursor(source, maxRecords);
  }

  private static ByteBuffer room(int records) {
    return ByteBuffer.allocate(records * RecordingEntry.RECORD_BYTES)
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Passes on the records of a buffer, from its begin to its limit. */
  private static void pass(ByteBuffer records, Consumer<TraceRecord> to) {
    int bytes = RecordingEntry.RECORD_BYTES;
    for (int at = 0; at + bytes <= records.limit(); at += bytes) {
      to.accept(TraceRecord.read(records, at));
    }
  }

  /** Over files. */
  final class FileCursor implements Cursor {
    private final RecordingReader reader;

    private FileCursor(RecordingReader reader) {
      this.reader = reader;
    }

    @Override
    public boolean read(Consumer<TraceRecord> to) throws IOException {
      return reader.read(records -> pass(records.bytes(), to));
    }

    @Override
    public List<String> names() {
      return reader.names();
    }

    @Override
    public long epochLessClockNanos() {
      return reader.epochLessClockNanos();
    }

    @Override
    public long missing() {
      return reader.missing();
    }

    @Override
    public long damaged() {
      return reader.damaged();
    }
  }

  /** Over memory that goes on. */
  final class MemoryCursor implements Cursor {
    private final RecordSource source;
    private final ByteBuffer copy;
    private long next = -1;
    private long missing;

    private MemoryCursor(RecordSource source, int maxRecords) {
      this.source = source;
      this.copy = room(maxRecords);
    }

    @Override
    public boolean read(Consumer<TraceRecord> to) {
      long asked = Math.max(next, 0);
      long end = source.copySince(asked, copy.clear());
      copy.flip();
      missing += next < 0 ? 0 : end - asked - copy.limit() / RecordingEntry.RECORD_BYTES;
      next = end;
      pass(copy, to);
      return copy.limit() > 0;
    }

    @Override
    public List<String> names() {
      return source.names();
    }

    @Override
    public long epochLessClockNanos() {
      return source.epochNanos() - source.clockNanos();
    }

    @Override
    public long missing() {
      return missing;
    }

    @Override
    public long damaged() {
      return 0;
    }
  }

  /**
   * Memory as it was.
   *
   * @param records from the begin to the limit
   */
  record Snapshot(ByteBuffer records, List<String> names, long epochLessClockNanos) {
    private static Snapshot of(RecordSource source, int maxRecords) {
      ByteBuffer records = room(maxRecords);
      source.copySince(0, records);
      return new Snapshot(
          records.flip(), source.names(), source.epochNanos() - source.clockNanos());
    }
  }

  /** Over memory as it was. */
  final class SnapshotCursor implements Cursor {
    private final Snapshot snapshot;
    private boolean isRead;

    private SnapshotCursor(Snapshot snapshot) {
      this.snapshot = snapshot;
    }

    @Override
    public boolean read(Consumer<TraceRecord> to) {
      if (isRead) {
        return false;
      }
      isRead = true;
      pass(snapshot.records(), to);
      return snapshot.records().limit() > 0;
    }

    @Override
    public List<String> names() {
      return snapshot.names();
    }

    @Override
    public long epochLessClockNanos() {
      return snapshot.epochLessClockNanos();
    }

    @Override
    public long missing() {
      return 0;
    }

    @Override
    public long damaged() {
      return 0;
    }
  }
}
