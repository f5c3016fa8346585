package dev.upcall.journal.queue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.NavigableMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The entries in a folder, to be read only. Nothing is made, mapped or locked: it needs no more
 * than the right to read, no room on the device, and no flags of the JVM. Others may append
 * meanwhile.
 */
public final class StoredEntries implements Entries {
  private final QueueFiles files;
  private final QueueReader reader;

  private StoredEntries(QueueFiles files, QueueReader reader) {
    this.files = files;
    this.reader = reader;
  }

  /**
   * Reads nothing yet.
   *
   * @param folder need not be there: nothing was ever appended then
   * @param millis the time of day
   */
  public static StoredEntries of(Path folder, LongSupplier millis) {
    QueueFiles files = ChronicleEntries.files(folder, Long.MAX_VALUE);
    return new StoredEntries(files, new QueueReader(files, () -> Integer.MIN_VALUE, millis));
  }

  @Override
  public byte @Nullable [] read(long index) throws QueueException {
    try {
      return reader.read(index);
    } catch (IOException broken) {
      throw QueueFiles.as(broken);
    }
  }

  @Override
  public EntryQueue.@Nullable Indexed next(long index) throws QueueException {
    try {
      return reader.next(index);
    } catch (IOException broken) {
      throw QueueFiles.as(broken);
    }
  }

  @Override
  public EntryQueue.Bounds bounds() throws QueueException {
    try {
      return bounds(files.byCycle());
    } catch (IOException broken) {
      throw QueueFiles.as(broken);
    }
  }

  /** Where the entries of such files may be. */
  static EntryQueue.Bounds bounds(NavigableMap<Integer, Path> all) {
    return all.isEmpty()
        ? new EntryQueue.Bounds(Long.MAX_VALUE, NONE)
        : new EntryQueue.Bounds(
            EntryPlace.index(all.firstKey(), 0), EntryPlace.index(all.lastKey() + 1, 0) - 1);
  }

  @Override
  public void close() {
    try {
      reader.close();
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
