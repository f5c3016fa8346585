package dev.upcall.journal.queue;

import dev.upcall.journal.queue.QueueException.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.TreeMap;
import net.openhft.chronicle.queue.RollCycle;
import org.jspecify.annotations.Nullable;

/**
 * The files of a queue, as files: how large they are, made durable, removed. One thread at a time;
 * {@link #sync} on any, once at a time.
 */
final class QueueFiles {
  /** Where the library keeps which files there are, and who holds its locks. */
  private static final String LISTING = "metadata.cq4t";

  /** How much may be appended before the files are looked at again. */
  private static final long LOOK_BYTES = 64 * 1024;

  /** The same where there is no bound, only the room on the device. */
  private static final long UNBOUNDED_LOOK_BYTES = 1024 * 1024;

  private static final int LOOK_AT_ONCE_BYTES = 64 * 1024;

  /**
   * Without as much room on the device nothing is appended: in mapped memory a full one is an
   * error.
   */
  static final long SPARE_BYTES = 64L << 20;

  private final Path folder;
  private final RollCycle cycle;
  private final DateTimeFormatter names;
  private final long maxBytes;
  private final Room room;
  private final long lookBytes;
  private long sinceLook;

  /** The newest file that was there at the last sync; empty before the first. */
  private String synced = "";

  /** Which one that was: another one may have its name now. */
  private @Nullable Object syncedKey;

  /** How many bytes a device has room for. */
  interface Room {
    long bytes(Path folder) throws IOException;
  }

  QueueFiles(Path folder, RollCycle cycle, long maxBytes, Room room) {
    this.folder = folder;
    this.cycle = cycle;
    this.names = DateTimeFormatter.ofPattern(cycle.format()).withZone(ZoneOffset.UTC);
    this.maxBytes = maxBytes;
    this.room = room;
    this.lookBytes = maxBytes == Long.MAX_VALUE ? UNBOUNDED_LOOK_BYTES : LOOK_BYTES;
    this.sinceLook = lookBytes;
  }

  /** How much there is. */
  QueueUsage usage() throws QueueException {
    try {
      List<Path> files = Folders.files(folder);
      return new QueueUsage(files.size(), sizeOf(files));
    } catch (NoSuchFileException none) {
      return new QueueUsage(0, 0);
    } catch (IOException broken) {
      throw as(broken);
    }
  }

  /** Those that are there, by their cycles; files of something else are passed over. */
  NavigableMap<Integer, Path> byCycle() throws IOException {
    NavigableMap<Integer, Path> found = new TreeMap<>();
    try {
      for (Path file : Folders.files(folder)) {
        OptionalLong begin = beginMillis(file);
        if (begin.isPresent()) {
          found.put((int) (begin.getAsLong() / cycle.lengthInMillis()), file);
        }
      }
    } catch (NoSuchFileException none) {
      // Nothing was ever appended.
      return found;
    }
    return found;
  }

  private OptionalLong beginMillis(Path file) {
    String name = file.getFileName().toString();
    String time = name.substring(0, name.length() - Folders.SUFFIX.length());
    try {
      LocalDateTime begin = LocalDateTime.parse(time, names);
      return OptionalLong.of(begin.toInstant(ZoneOffset.UTC).toEpochMilli());
    } catch (DateTimeParseException foreign) {
      return OptionalLong.empty();
    }
  }

  /** Refuses what would pass the bound, or find the device full. */
  void admit(int bytes) throws QueueException {
    sinceLook += bytes;
    if (sinceLook < lookBytes) {
      return;
    }
    try {
      long size = sizeOf(Folders.files(folder));
      if (size >= maxBytes) {
        throw new QueueException(
            Reason.BACKLOG_FULL,
            "the queue has %d bytes, its bound is %d".formatted(size, maxBytes),
            null);
      }
      checkRoom();
    } catch (IOException broken) {
      throw as(broken);
    }
    sinceLook = bytes;
  }

  /** Refuses where the device is full, or nearly. */
  void checkRoom() throws QueueException {
    long free;
    try {
      free = room.bytes(folder);
    } catch (IOException broken) {
      throw as(broken);
    }
    if (free < SPARE_BYTES) {
      throw new QueueException(
          Reason.DISK_FULL,
          "%s has room for %d bytes, %d are kept free".formatted(folder, free, SPARE_BYTES),
          null);
    }
  }

  /** Whether a file has nothing but zeros from a position on. */
  boolean isEnd(int number, long position) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocate(LOOK_AT_ONCE_BYTES);
    ByteBuffer found = ByteBuffer.allocate(LOOK_AT_ONCE_BYTES);
    try (FileChannel channel = FileChannel.open(folder.resolve(name(number)))) {
      long at = position;
      while (channel.read(found.clear(), at) > 0) {
        at += found.flip().remaining();
        if (found.mismatch(zeros.limit(found.remaining())) >= 0) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Makes all files durable from the newest of the last time on, and their names. Says so when it
   * fails, which the library's own sync does not.
   */
  void sync() throws QueueException {
    try {
      List<Path> files = Folders.files(folder);
      String newest = files.isEmpty() ? "" : files.getLast().getFileName().toString();
      Object newestKey = files.isEmpty() ? null : Folders.key(files.getLast());
      for (Path file : files) {
        if (file.getFileName().toString().compareTo(synced) >= 0) {
          force(file);
        }
      }
      if (!newest.equals(synced) || !Objects.equals(newestKey, syncedKey)) {
        force(folder.resolve(LISTING));
        Folders.force(folder);
        synced = newest;
        syncedKey = newestKey;
      }
    } catch (IOException broken) {
      throw as(broken);
    }
  }

  /** When the newest file's time is over; a long time ago when there is none. */
  long endMillis() throws QueueException {
    try {
      List<Path> files = Folders.files(folder);
      if (files.isEmpty()) {
        return 0;
      }
      OptionalLong begin = beginMillis(files.getLast());
      if (begin.isEmpty()) {
        throw new QueueException(
            Reason.FILES, "a file of something else: " + files.getLast(), null);
      }
      return begin.getAsLong() + cycle.lengthInMillis();
    } catch (IOException broken) {
      throw as(broken);
    }
  }

  /** Removes the files of earlier cycles; whether there was one. */
  boolean removeBefore(int firstKept) throws QueueException {
    try {
      return removeBefore(name(firstKept));
    } catch (IOException broken) {
      throw as(broken);
    }
  }

  private boolean removeBefore(String kept) throws IOException {
    boolean removed = removeBefore(kept, Folders.files(folder));
    return removeBefore(kept, Folders.putAside(folder)) || removed;
  }

  private static boolean removeBefore(String kept, List<Path> files) throws IOException {
    boolean removed = false;
    for (Path file : files) {
      if (file.getFileName().toString().compareTo(kept) < 0) {
        removed |= Files.deleteIfExists(file);
      }
    }
    return removed;
  }

  /** Removes the oldest while all have more bytes than that, but not the newest; whether it did. */
  boolean keep(long bytes) throws QueueException {
    try {
      List<Path> files = Folders.files(folder);
      long size = sizeOf(files);
      int first = 0;
      while (first < files.size() - 1 && size > bytes) {
        size -= sizeOf(files.get(first));
        first++;
      }
      return first > 0 && removeBefore(files.get(first).getFileName().toString());
    } catch (IOException broken) {
      throw as(broken);
    }
  }

  private static void force(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    } catch (NoSuchFileException removedMeanwhile) {
      // Everybody has read it.
      return;
    }
  }

  private static long sizeOf(List<Path> files) throws IOException {
    long size = 0;
    for (Path file : files) {
      size += sizeOf(file);
    }
    return size;
  }

  private static long sizeOf(Path file) throws IOException {
    try {
      return Files.size(file);
    } catch (NoSuchFileException removedMeanwhile) {
      return 0;
    }
  }

  /** Of the file for a period. */
  String name(int number) {
    return names.format(Instant.ofEpochMilli((long) number * cycle.lengthInMillis()))
        + Folders.SUFFIX;
  }

  static QueueException as(IOException broken) {
    return QueueException.files("the queue's files", broken);
  }
}
