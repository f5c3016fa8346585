package dev.upcall.journal.recording;

import dev.upcall.journal.queue.Folders;
import dev.upcall.journal.recording.RecordingEntry.Names;
import dev.upcall.journal.recording.RecordingEntry.Origin;
import dev.upcall.journal.recording.RecordingEntry.Records;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads one run of the recordings in a directory, or in one of their files: a run begins when a
 * store is opened with its recorder, and ends with it. Of a process that is still writing, or was
 * killed while it did, it reads what is whole. Nothing is written; files that are removed meanwhile
 * are passed over. One thread at a time.
 */
public final class RecordingReader {
  /** Files at the end that may still grow. */
  private static final int GROWING = 2;

  private final Path place;
  private final UUID run;
  private final ByteBuffer window = EntryScan.window();
  private final Map<Path, EntryScan> scans = new LinkedHashMap<>();
  private final List<String> names = new ArrayList<>();
  private @Nullable Origin newest;
  private long next = -1;
  private long missing;

  /**
   * A run.
   *
   * @param id which
   * @param firstNanos when its first entry that is left was written, since 1970
   * @param lastNanos when its last one was
   * @param records how many are left
   */
  public record Run(UUID id, long firstNanos, long lastNanos, long records) {}

  /**
   * Before the first entry of a run.
   *
   * @param place a directory, or one file of it
   */
  public RecordingReader(Path place, UUID run) {
    this.place = place;
    this.run = run;
  }

  /**
   * The runs of a directory, or of one file, oldest first; none where there is no recording.
   *
   * @throws NoSuchFileException when nothing is there
   */
  public static List<Run> runs(Path place) throws IOException {
    Map<UUID, Run> runs = new LinkedHashMap<>();
    ByteBuffer window = EntryScan.window();
    for (Path file : files(place)) {
      scan(
          new EntryScan(file, window),
          entry -> {
            Origin origin = entry.origin();
            long time = origin.epochNanos();
            long count = entry instanceof Records records ? records.count() : 0;
            runs.merge(
                origin.run(),
                new Run(origin.run(), time, time, count),
                (before, one) ->
                    new Run(one.id(), before.firstNanos(), time, before.records() + count));
          });
    }
    return List.copyOf(runs.values());
  }

  /**
   * Passes on the records behind those of the last call, oldest first; their names are there when
   * they come. Whether there were any.
   */
  public boolean read(Consumer<Records> to) throws IOException {
    long before = next;
    List<Path> files = files(place);
    scans.keySet().retainAll(files);
    for (int at = 0; at < files.size(); at++) {
      EntryScan scan = scans.computeIfAbsent(files.get(at), file -> new EntryScan(file, window));
      if (at >= files.size() - GROWING || !scan.isRead()) {
        scan(scan, entry -> take(entry, to));
      }
    }
    return next != before;
  }

  private void take(RecordingEntry entry, Consumer<Records> to) {
    if (!entry.origin().run().equals(run)) {
      return;
    }
    newest = entry.origin();
    switch (entry) {
      case Names added -> take(added);
      case Records records -> {
        if (next >= 0 && records.first() < next) {
          // A copy of a file beside it.
          return;
        }
        missing += next < 0 ? 0 : records.first() - next;
        next = records.first() + records.count();
        to.accept(records);
      }
    }
  }

  /** Each file has all names from the first on, so only damage leaves some out. */
  private void take(Names added) {
    while (names.size() < added.first()) {
      names.add("");
    }
    int at = added.first();
    for (String name : added.names()) {
      if (at < names.size()) {
        names.set(at, name);
      } else {
        names.add(name);
      }
      at++;
    }
  }

  /** The names that records mention by number, as far as they were read. */
  public List<String> names() {
    return List.copyOf(names);
  }

  /** What to add to a record's time for the time of day; 0 before the first entry. */
  public long epochLessClockNanos() {
    Origin origin = newest;
    return origin == null ? 0 : origin.epochNanos() - origin.clockNanos();
  }

  /** Records that are in no entry between the first and the last that were read. */
  public long missing() {
    return missing;
  }

  /** Entries that were begun and are not whole. */
  public long damaged() {
    return scans.values().stream().mapToLong(EntryScan::damaged).sum();
  }

  private static void scan(EntryScan scan, Consumer<RecordingEntry> to) throws IOException {
    try {
      scan.read(to);
    } catch (NoSuchFileException removedMeanwhile) {
      // By the one who records: there are newer ones.
      return;
    }
  }

  private static List<Path> files(Path place) throws IOException {
    if (Files.isDirectory(place)) {
      return Folders.files(place);
    }
    if (!Files.exists(place)) {
      throw new NoSuchFileException(place.toString());
    }
    return List.of(place);
  }
}
