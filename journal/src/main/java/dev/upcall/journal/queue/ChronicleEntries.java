package dev.upcall.journal.queue;

import dev.upcall.journal.entry.EntryCodec;
import dev.upcall.journal.queue.QueueException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.LongSupplier;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.RollCycles;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.wire.DocumentContext;
import net.openhft.chronicle.wire.UnrecoverableTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Entries in the files of a Chronicle Queue. Its tailer has no name: whoever reads keeps the
 * position, together with what came of what was read. Its checksums, where there are any, and its
 * own sync, which hides what went wrong, are not used.
 *
 * <p>A writer that another process holds up gets {@link Reason#TIMEOUT}; the lock of a dead process
 * is taken from it, that of a living one never (what the library does by default, {@code
 * LOCKING_PROCESS_DEAD}).
 */
public final class ChronicleEntries implements EntryQueue {
  /**
   * Shared by all who open a queue, as it stands in no file; at least four of the largest entry.
   */
  static final int BLOCK_BYTES = 4 << 20;

  /** A file is for five minutes. */
  static final RollCycles ROLL_CYCLE = RollCycles.FIVE_MINUTELY;

  /** How long another process may hold up a writer; the library waits half as long again. */
  private static final long TIMEOUT_MILLIS = 1000;

  private final QueueFiles files;
  private final GroupSync group;
  private final ChronicleQueue queue;
  private final ExcerptTailer tailer;

  /** The file before which everything was removed by the last removal. */
  private int firstKept = -1;

  /** Null before the first append: already to make one takes the writers' lock. */
  private @Nullable ExcerptAppender appender;

  /** The index behind which the tailer stands; {@link #NONE} when it stands anywhere. */
  private long passed = NONE;

  private ChronicleEntries(QueueFiles files, GroupSync group, ChronicleQueue queue) {
    this.files = files;
    this.group = group;
    this.queue = queue;
    this.tailer = queue.createTailer();
    tailer.singleThreadedCheckDisabled(true);
  }

  /**
   * Opens a queue, or makes an empty one.
   *
   * @param folder with its files and nothing else
   * @param maxBytes the bound of the backlog: an append is refused once the files are as large.
   *     They grow by blocks of 4 MiB, and are looked at once for each 64 KiB that this opening
   *     appends
   * @param millis the time of day, by which files are named
   * @throws IllegalStateException as {@link ChronicleJvm#prepare}
   */
  public static ChronicleEntries open(Path folder, long maxBytes, LongSupplier millis)
      throws QueueException {
    ChronicleJvm.prepare();
    return asked(
        "open",
        () -> {
          ChronicleQueue queue =
              SingleChronicleQueueBuilder.binary(folder)
                  .rollCycle(ROLL_CYCLE)
                  .blockSize(BLOCK_BYTES)
                  .timeoutMS(TIMEOUT_MILLIS)
                  .timeProvider(millis::getAsLong)
                  .build();
          return new ChronicleEntries(files(folder, maxBytes), GroupSync.join(folder), queue);
        });
  }

  /**
   * A time of day at which a queue begins a new file, behind all that are there: the wanted one, or
   * a later one where there is a file of that time already.
   *
   * @param folder is there
   */
  public static long behindAll(Path folder, long millis) throws QueueException {
    return Math.max(millis, files(folder, 0).endMillis());
  }

  /** What the entries in a folder take, which need not be there; nothing is opened. */
  public static QueueUsage usage(Path folder) throws QueueException {
    return files(folder, Long.MAX_VALUE).usage();
  }

  private static QueueFiles files(Path folder, long maxBytes) {
    return new QueueFiles(
        folder, ROLL_CYCLE, maxBytes, in -> Files.getFileStore(in).getUsableSpace());
  }

  @Override
  public long append(byte[] bytes) throws QueueException {
    if (bytes.length == 0 || bytes.length > EntryCodec.MAX_ENTRY_BYTES) {
      throw new IllegalArgumentException("an entry of " + bytes.length + " bytes");
    }
    files.admit(bytes.length);
    return asked(
        "append",
        () -> {
          ExcerptAppender to = appender();
          try (DocumentContext document = to.writingDocument()) {
            document.wire().bytes().write(bytes);
          }
          return to.lastIndexAppended();
        });
  }

  private ExcerptAppender appender() {
    ExcerptAppender made = appender;
    if (made == null) {
      made = queue.createAppender();
      made.singleThreadedCheckDisabled(true);
      appender = made;
    }
    return made;
  }

  @Override
  public void sync() throws QueueException {
    group.sync(files::sync);
  }

  @Override
  public byte @Nullable [] read(long index) throws QueueException {
    return asked("read", () -> Optional.ofNullable(at(index))).orElse(null);
  }

  @Override
  public @Nullable Indexed next(long index) throws QueueException {
    return asked("read", () -> Optional.ofNullable(behind(index))).orElse(null);
  }

  private byte @Nullable [] at(long index) {
    passed = NONE;
    if (index < 0 || !tailer.moveToIndex(index)) {
      return null;
    }
    Indexed found = take();
    return found != null && found.index() == index ? found.bytes() : null;
  }

  private @Nullable Indexed behind(long index) {
    if (index != passed || index == NONE) {
      goBehind(index);
    }
    Indexed found = take();
    while (found != null && found.index() <= index) {
      found = take();
    }
    return found;
  }

  /** Stands before the first entry behind an index. The answers of {@code moveToIndex} count. */
  private void goBehind(long index) {
    passed = NONE;
    boolean isThere = index >= 0 && tailer.moveToIndex(index);
    if (!isThere) {
      // Removed, lost, or before everything: from the oldest on, which the caller passes over.
      tailer.toStart();
    }
  }

  private @Nullable Indexed take() {
    try (DocumentContext document = tailer.readingDocument()) {
      if (!document.isPresent()) {
        return null;
      }
      long index = document.index();
      Bytes<?> from = document.wire().bytes();
      // One byte more than there may be says that it is too large, whatever the length is.
      int size = (int) Math.min(from.readRemaining(), EntryCodec.MAX_ENTRY_BYTES + 1L);
      byte[] bytes = new byte[size];
      from.read(bytes);
      passed = index;
      return new Indexed(index, bytes);
    }
  }

  @Override
  public void removeBefore(long index) throws QueueException {
    if (index < 0) {
      return;
    }
    int first = ROLL_CYCLE.toCycle(index);
    if (first == firstKept) {
      return;
    }
    firstKept = first;
    if (files.removeBefore(first)) {
      asked(
          "remove",
          () -> {
            queue.refreshDirectoryListing();
            return index;
          });
    }
  }

  @Override
  public void keep(long bytes) throws QueueException {
    if (files.keep(bytes)) {
      asked(
          "remove",
          () -> {
            queue.refreshDirectoryListing();
            return bytes;
          });
    }
  }

  @Override
  public void close() {
    if (!queue.isClosed()) {
      queue.close();
      group.leave();
    }
  }

  /** What the library throws, as what it means; mapped files of a full disk throw errors. */
  private static <T> T asked(String what, Step<T> step) throws QueueException {
    try {
      return step.run();
    } catch (UnrecoverableTimeoutException held) {
      throw new QueueException(
          Reason.TIMEOUT, "the queue is held by another process: " + held.getMessage(), held);
    } catch (IOException | RuntimeException | InternalError | AssertionError broken) {
      throw new QueueException(Reason.FILES, what + " failed: " + broken, broken);
    }
  }

  /** Something that the library does. */
  private interface Step<T> {
    T run() throws IOException;
  }
}
