package dev.upcall.journal.queue;

import dev.upcall.journal.entry.EntryCodec;
import dev.upcall.journal.queue.QueueException.Reason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.core.time.TimeProvider;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.RollCycles;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.threads.LongPauser;
import net.openhft.chronicle.threads.TimingPauser;
import net.openhft.chronicle.wire.DocumentContext;
import net.openhft.chronicle.wire.UnrecoverableTimeoutException;
import net.openhft.chronicle.wire.WriteAfterEOFException;
import org.jspecify.annotations.Nullable;

/**
 * Entries in the files of a Chronicle Queue, which appends them. Reading is this package's own: the
 * library maps files, believes all that is in them, and lengthens them where they lead beyond their
 * end. Its own sync, which hides what went wrong, is not used either.
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

  /** An append goes on in another file where the library finds one damaged, this often. */
  private static final int MAX_LEFT_FILES = 2;

  private static final int LOOKS = 100;
  private static final int YIELDS = 20;
  private static final long MIN_PAUSE_MICROS = 20;
  private static final long MAX_PAUSE_MICROS = 1000;

  private static final System.Logger LOG = System.getLogger(ChronicleEntries.class.getName());

  private final QueueFiles files;
  private final GroupSync group;
  private final SingleChronicleQueue queue;
  private final QueueReader reader;
  private final FileTime time;

  /** Whether nothing was behind where this opening appended first; others only append behind. */
  private boolean isAtEnd;

  /** The file before which everything was removed by the last removal. */
  private int firstKept = -1;

  /** Null before the first append: already to make one takes the writers' lock. */
  private @Nullable ExcerptAppender appender;

  private ChronicleEntries(
      QueueFiles files, GroupSync group, SingleChronicleQueue queue, FileTime time) {
    this.files = files;
    this.group = group;
    this.queue = queue;
    this.time = time;
    this.reader = new QueueReader(files, queue::lastCycle, time.millis);
  }

  /**
   * Opens a queue, or makes an empty one.
   *
   * @param folder with its files and nothing else
   * @param maxBytes the bound of the backlog: an append is refused once the files are as large.
   *     They grow by blocks of 4 MiB, and are looked at once for each 64 KiB that this opening
   *     appends; where it is {@link Long#MAX_VALUE} for each 1 MiB
   * @param millis the time of day, by which files are named
   * @throws IllegalStateException as {@link ChronicleJvm#prepare}
   */
  public static ChronicleEntries open(Path folder, long maxBytes, LongSupplier millis)
      throws QueueException {
    ChronicleJvm.prepare();
    return asked(
        "open",
        () -> {
          Folders.make(folder);
          if (!Files.isWritable(folder)) {
            // The library opens it all the same, and tells of it with the first append.
            throw new QueueException(
                Reason.FILES, folder + " cannot be written by this user, or on this device", null);
          }
          FileTime time = new FileTime(millis);
          SingleChronicleQueue queue =
              SingleChronicleQueueBuilder.binary(folder)
                  .rollCycle(ROLL_CYCLE)
                  .blockSize(BLOCK_BYTES)
                  .timeoutMS(TIMEOUT_MILLIS)
                  .pauserSupplier(ChronicleEntries::pauser)
                  .timeProvider(time)
                  .build();
          return new ChronicleEntries(files(folder, maxBytes), GroupSync.join(folder), queue, time);
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

  /**
   * Refuses where the device has too little room for files to be mapped: a full one shows as an
   * error in the midst of a write.
   *
   * @param folder is there
   */
  public static void checkRoom(Path folder) throws QueueException {
    files(folder, Long.MAX_VALUE).checkRoom();
  }

  /** What the entries in a folder take, which need not be there; nothing is opened. */
  public static QueueUsage usage(Path folder) throws QueueException {
    return files(folder, Long.MAX_VALUE).usage();
  }

  /**
   * How a writer waits for another. Its turn takes about a microsecond, unless it was taken off its
   * processor: the library's own way, to look half a million times first, keeps it from going on
   * where there are as many writers as processors.
   */
  private static TimingPauser pauser() {
    return new LongPauser(LOOKS, YIELDS, MIN_PAUSE_MICROS, MAX_PAUSE_MICROS, TimeUnit.MICROSECONDS);
  }

  static QueueFiles files(Path folder, long maxBytes) {
    // A FileStore would look through all of the machine's mounts, each time.
    return new QueueFiles(folder, ROLL_CYCLE, maxBytes, in -> in.toFile().getUsableSpace());
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
          long index = NONE;
          for (int tries = 0; index == NONE; tries++) {
            index = put(bytes, tries < MAX_LEFT_FILES);
          }
          return index;
        });
  }

  /**
   * Puts an entry where the library goes on; or {@link #NONE}, and the next one goes into another
   * file. The library goes on where the file had its end when it was synced: after a loss of power
   * that may be before entries that survived by chance, and readers are behind those.
   *
   * @param mayLeave whether to go on in another file where the library fails in this one
   */
  private long put(byte[] bytes, boolean mayLeave) throws IOException {
    ExcerptAppender to = appender();
    time.begin(queue.lastCycle());
    long index = NONE;
    try (DocumentContext document = to.writingDocument()) {
      Bytes<?> file = document.wire().bytes();
      long at = file.writePosition();
      isAtEnd = isAtEnd || files.isEnd(to.cycle(), at);
      if (isAtEnd) {
        file.write(bytes);
        index = EntryPlace.index(to.cycle(), at - Integer.BYTES);
      } else {
        document.rollbackOnClose();
        time.begin(to.cycle() + 1);
      }
      return index;
    } catch (UnrecoverableTimeoutException held) {
      throw held;
    } catch (WriteAfterEOFException over) {
      // Somebody else has ended this file, and may have only begun the next one.
      time.begin(to.cycle() + 1);
      return NONE;
    } catch (IllegalStateException damaged) {
      if (queue.isClosed() || !mayLeave) {
        throw damaged;
      }
      // What the library keeps in the file for itself. It looks there when the entry is in.
      time.begin(to.cycle() + 1);
      return Arrays.equals(bytes, reader.read(index)) ? index : NONE;
    }
  }

  private ExcerptAppender appender() throws IOException {
    ExcerptAppender made = appender;
    if (made == null) {
      NavigableMap<Integer, Path> all = files.byCycle();
      if (!all.isEmpty()) {
        // Looked for: what the library knows of may be older than a loss of power has left it.
        time.begin(all.lastKey());
      }
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
    return asked("read", () -> Optional.ofNullable(reader.read(index))).orElse(null);
  }

  @Override
  public @Nullable Indexed next(long index) throws QueueException {
    return asked("read", () -> Optional.ofNullable(reader.next(index))).orElse(null);
  }

  @Override
  public Bounds bounds() throws QueueException {
    return asked("read", () -> StoredEntries.bounds(files.byCycle()));
  }

  @Override
  public void removeBefore(long index) throws QueueException {
    if (index < 0) {
      return;
    }
    int first = EntryPlace.cycle(index);
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
      try (queue) {
        reader.close();
      } catch (IOException broken) {
        throw new UncheckedIOException(broken);
      } catch (InternalError unmapped) {
        // A page of a mapped file that a full device has no room for: nothing in it is needed now.
        LOG.log(System.Logger.Level.DEBUG, "closing a queue on a full device", unmapped);
      } finally {
        group.leave();
      }
    }
  }

  /** What the library throws, as what it means; mapped files of a full disk throw errors. */
  private static <T> T asked(String what, Step<T> step) throws QueueException {
    try {
      return step.run();
    } catch (UnrecoverableTimeoutException held) {
      throw new QueueException(
          Reason.TIMEOUT, "the queue is held by another process: " + held.getMessage(), held);
    } catch (InternalError unmapped) {
      throw new QueueException(
          Reason.DISK_FULL,
          what
              + " failed: the system could not give a page of a mapped file of the queue; the device"
              + " is full, or broken",
          unmapped);
    } catch (IOException | RuntimeException | AssertionError broken) {
      throw QueueException.files(what + " failed", broken);
    }
  }

  /**
   * By which files are named: the time of day, but never before the newest file, which others'
   * clocks or files that were left may have put ahead of it: readers do not look behind themselves.
   */
  private static final class FileTime implements TimeProvider {
    private final LongSupplier millis;
    private volatile long firstMillis;

    private FileTime(LongSupplier millis) {
      this.millis = millis;
    }

    /** Nothing more goes into earlier files. */
    private void begin(int cycle) {
      firstMillis = Math.max(firstMillis, (long) cycle * ROLL_CYCLE.lengthInMillis());
    }

    @Override
    public long currentTimeMillis() {
      return Math.max(millis.getAsLong(), firstMillis);
    }
  }

  /** Something that the library does. */
  private interface Step<T> {
    T run() throws IOException;
  }
}
