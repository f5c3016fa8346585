package dev.upcall.journal.recording;

import dev.upcall.journal.queue.ChronicleEntries;
import dev.upcall.journal.queue.EntryQueue;
import dev.upcall.journal.queue.Folders;
import dev.upcall.journal.queue.ProcessLock;
import dev.upcall.journal.queue.QueueException;
import dev.upcall.journal.queue.QueueException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The directory of a recording: its files, of which there is a next one when the last is large
 * enough, and its one writer. One thread at a time.
 *
 * <p>Chronicle Queue begins a file when it has become later. So it is given a clock that stands,
 * and that moves when the file is full.
 */
final class RecordingFolder implements RecordingWriter.Target {
  /** Is there in each directory of a recording; the writer's lock. */
  private static final String MARK = "recording";

  private static final long NANOS_OF_MILLI = 1_000_000;

  private final Path folder;
  private final RecordingConfig config;
  private final LongSupplier epochNanos;
  private final ProcessLock lock;

  /** Null after a page of a mapped file could not be had, until there is room for another file. */
  private @Nullable EntryQueue entries;

  /** The library's threads ask, too. */
  private volatile long fileMillis;

  private long fileBytes;

  private RecordingFolder(
      Path folder, RecordingConfig config, LongSupplier epochNanos, ProcessLock lock)
      throws QueueException {
    this.folder = folder;
    this.config = config;
    this.epochNanos = epochNanos;
    this.lock = lock;
    this.fileMillis = behindAll();
    this.entries = ChronicleEntries.open(folder, Long.MAX_VALUE, () -> fileMillis);
  }

  /**
   * Opens a directory of recordings, or makes it; what is there stays within the bounds.
   *
   * @throws IOException a {@link QueueException} with NO_QUEUE when something else is in it, IN_USE
   *     when somebody records into it
   * @throws IllegalStateException when Java was started without the flags of a queue
   */
  static RecordingFolder open(Path folder, RecordingConfig config, LongSupplier epochNanos)
      throws IOException {
    Files.createDirectories(folder);
    if (!Files.exists(folder.resolve(MARK))) {
      try (Stream<Path> found = Files.list(folder)) {
        if (found.findAny().isPresent()) {
          throw new QueueException(
              Reason.NO_QUEUE, folder + " is no recording, and not empty either", null);
        }
      }
    }
    ProcessLock lock = ProcessLock.take(folder, MARK, "who records into " + folder);
    try {
      return new RecordingFolder(folder, config, epochNanos, lock);
    } catch (IOException | RuntimeException failed) {
      lock.close();
      throw failed;
    }
  }

  /** Appends an entry. */
  @Override
  public void append(byte[] entry) throws QueueException {
    EntryQueue to = entries;
    if (to == null) {
      throw new QueueException(Reason.DISK_FULL, "there is no file to record into", null);
    }
    to.append(entry);
    fileBytes += entry.length;
  }

  /** Whether the next entry is better put into a new file. */
  @Override
  public boolean isFull() {
    return entries == null || fileBytes >= config.fileBytes();
  }

  @Override
  public void giveUp() {
    EntryQueue broken = entries;
    entries = null;
    if (broken != null) {
      broken.close();
    }
  }

  /** Lets the next entry begin a file. */
  @Override
  public void roll() throws QueueException {
    if (entries == null) {
      ChronicleEntries.checkRoom(folder);
      fileMillis = behindAll();
      entries = ChronicleEntries.open(folder, Long.MAX_VALUE, () -> fileMillis);
    } else {
      fileMillis = behindAll();
    }
    fileBytes = 0;
  }

  /** Removes the oldest files until the bounds hold. */
  @Override
  public void removeOld() throws IOException {
    long oldest = epochNanos.getAsLong() / NANOS_OF_MILLI - config.maxAge().toMillis();
    Map<Path, BasicFileAttributes> files = new LinkedHashMap<>();
    for (Path file : Folders.files(folder)) {
      putIfThere(file, files);
    }
    long bytes = files.values().stream().mapToLong(BasicFileAttributes::size).sum();
    int left = files.size();
    for (Map.Entry<Path, BasicFileAttributes> one : files.entrySet()) {
      boolean isYoung = one.getValue().lastModifiedTime().toMillis() >= oldest;
      if (left == 1 || (bytes <= config.maxBytes() && isYoung)) {
        return;
      }
      Files.deleteIfExists(one.getKey());
      bytes -= one.getValue().size();
      left--;
    }
  }

  private static void putIfThere(Path file, Map<Path, BasicFileAttributes> to) throws IOException {
    try {
      to.put(file, Files.readAttributes(file, BasicFileAttributes.class));
    } catch (NoSuchFileException removedByHand) {
      // Then it needs no room.
      return;
    }
  }

  private long behindAll() throws QueueException {
    return ChronicleEntries.behindAll(folder, epochNanos.getAsLong() / NANOS_OF_MILLI);
  }

  @Override
  public void close() throws IOException {
    giveUp();
    lock.close();
  }
}
