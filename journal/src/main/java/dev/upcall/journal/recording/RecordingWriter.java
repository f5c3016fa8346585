package dev.upcall.journal.recording;

import dev.upcall.journal.queue.QueueException;
import dev.upcall.journal.recording.RecordingCodec.RecordsEncoder;
import dev.upcall.journal.recording.RecordingEntry.Names;
import dev.upcall.journal.recording.RecordingEntry.Origin;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Writes into files what a store's flight recorder keeps in memory, on a thread of its own: every
 * ten milliseconds, down to two while the recorder keeps little or there is much. Each look costs
 * the store's thread its processor for a moment, where they share one. It never makes the store
 * wait: what is overwritten before it comes is lost and counted, as is what the device has no room
 * for. When its files fail in any other way it ends, with one line in the log. Any thread may ask
 * for its counts.
 */
public final class RecordingWriter implements AutoCloseable {
  private static final long MIN_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long MAX_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** Of what the recorder keeps, what may come between two looks. */
  private static final int PART_A_LOOK = 8;

  /** How often old files are looked for while none becomes full. */
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** How long the end of a recording may hold up that of the store. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final System.Logger LOG = System.getLogger(RecordingWriter.class.getName());

  private final RecordSource source;
  private final Target target;
  private final UUID run;
  private final Duration patience;
  private final Thread thread;

  private final RecordsEncoder encoder = new RecordsEncoder(RecordingEntry.MAX_COUNT);

  private final ByteBuffer records =
      ByteBuffer.allocate(RecordingEntry.MAX_COUNT * RecordingEntry.RECORD_BYTES)
          .order(ByteOrder.LITTLE_ENDIAN);

  private long next;
  private int namesWritten;
  private long lookNanos;
  private boolean hasRoom = true;
  private volatile RecordingCounts counts = new RecordingCounts(0, 0, 0, "");
  private volatile boolean isClosing;

  /** Where entries go. The writer's thread. */
  interface Target extends AutoCloseable {
    void append(byte[] entry) throws IOException;

    /** Whether the next entry is better put into a new file. */
    boolean isFull();

    void roll() throws IOException;

    /**
     * The present file cannot be written any more, for want of a page of it: what comes next is
     * refused as DISK_FULL, and {@link #isFull} until {@link #roll} has found room for another.
     */
    void giveUp();

    void removeOld() throws IOException;

    @Override
    void close() throws IOException;
  }

  /**
   * A writer that has not begun.
   *
   * @param patience how long its end is waited for
   */
  RecordingWriter(RecordSource source, Target target, UUID run, Duration patience) {
    this.source = source;
    this.target = target;
    this.run = run;
    this.patience = patience;
    this.lookNanos = source.clockNanos();
    this.thread = Thread.ofPlatform().name("upcall-recording").daemon().unstarted(this::work);
  }

  /**
   * Begins to record, in a new file.
   *
   * @param folder is made if it is missing
   * @param run which recording this is; no other has this id
   * @throws IOException a {@link QueueException} with NO_QUEUE when the folder has something else
   *     in it, IN_USE when somebody records into it
   * @throws IllegalStateException when Java was started without the flags of a queue
   */
  public static RecordingWriter start(
      RecordSource source, Path folder, RecordingConfig config, UUID run) throws IOException {
    RecordingFolder files = RecordingFolder.open(folder, config, source::epochNanos);
    RecordingWriter writer = new RecordingWriter(source, files, run, PATIENCE);
    writer.begin();
    return writer;
  }

  void begin() {
    thread.start();
  }

  /** What has come of it. Any thread. */
  public RecordingCounts counts() {
    return counts;
  }

  /**
   * Writes what is there, and ends. A device that does not answer is waited for five seconds; then
   * the files are left as they are after a kill.
   */
  @Override
  public void close() throws IOException {
    isClosing = true;
    LockSupport.unpark(thread);
    boolean ended = false;
    try {
      ended = thread.join(patience);
    } catch (InterruptedException during) {
      Thread.currentThread().interrupt();
    }
    if (ended) {
      target.close();
    } else {
      end(new IOException("its files do not answer"));
    }
  }

  private void work() {
    long pause = MIN_PAUSE_NANOS;
    try {
      target.removeOld();
      boolean last;
      do {
        last = isClosing;
        pause = pause(pause, drain(), source.recordsKept());
        if (!last) {
          LockSupport.parkNanos(this, pause);
        }
      } while (!last);
    } catch (IOException | RuntimeException | InternalError broken) {
      end(broken);
    }
  }

  /** How long to wait after a look that was after such a pause and found so many of the kept. */
  static long pause(long beforeNanos, long came, int kept) {
    long nanos = came > kept / PART_A_LOOK ? beforeNanos / 2 : beforeNanos * 2;
    return Math.clamp(nanos, MIN_PAUSE_NANOS, MAX_PAUSE_NANOS);
  }

  /** One recorder's log line, and no more: the store goes on. */
  private void end(Throwable broken) {
    RecordingCounts so = counts;
    String why = broken.getMessage() == null ? broken.toString() : broken.getMessage();
    counts = new RecordingCounts(so.recorded(), so.dropped(), so.bytes(), why);
    LOG.log(System.Logger.Level.WARNING, "the recording has ended, the store goes on: " + why);
  }

  /** Writes all that is there; how many records came since the last time. */
  long drain() throws IOException {
    long before = next;
    boolean more = true;
    while (more) {
      long asked = next;
      next = source.copySince(asked, records.clear());
      int copied = records.position() / RecordingEntry.RECORD_BYTES;
      more = copied == RecordingEntry.MAX_COUNT;
      drop(next - asked - copied);
      if (copied > 0) {
        keep(copied);
      }
    }
    long now = source.clockNanos();
    if (now - lookNanos >= LOOK_NANOS) {
      lookNanos = now;
      target.removeOld();
    }
    return next - before;
  }

  private void keep(int copied) throws IOException {
    Origin origin = new Origin(run, source.epochNanos(), source.clockNanos());
    try {
      if (target.isFull()) {
        target.roll();
        target.removeOld();
        namesWritten = 0;
      }
      // Asked for behind the copy, they have all that it mentions.
      names(origin);
      append(encoder.encode(origin, next - copied, copied, records), copied);
    } catch (QueueException refused) {
      if (refused.reason() != QueueException.Reason.DISK_FULL) {
        throw refused;
      }
      if (refused.getCause() instanceof InternalError) {
        target.giveUp();
      }
      leaveOut(copied, refused);
    } catch (InternalError unmapped) {
      // Such an error may come a little later than the write that it is of.
      target.giveUp();
      leaveOut(copied, unmapped);
    }
  }

  private void leaveOut(int copied, Throwable why) {
    drop(copied);
    if (hasRoom) {
      hasRoom = false;
      LOG.log(
          System.Logger.Level.WARNING,
          "the recording leaves out what there is no room for: " + why.getMessage());
    }
  }

  private void names(Origin origin) throws IOException {
    List<String> names = source.names();
    while (namesWritten < names.size()) {
      int end = Math.min(names.size(), namesWritten + RecordingEntry.MAX_COUNT);
      append(
          RecordingCodec.encode(new Names(origin, namesWritten, names.subList(namesWritten, end))),
          0);
      namesWritten = end;
    }
  }

  private void append(byte[] entry, int records) throws IOException {
    target.append(entry);
    RecordingCounts so = counts;
    counts =
        new RecordingCounts(
            so.recorded() + records, so.dropped(), so.bytes() + entry.length, so.off());
  }

  private void drop(long records) {
    if (records > 0) {
      RecordingCounts so = counts;
      counts = new RecordingCounts(so.recorded(), so.dropped() + records, so.bytes(), so.off());
    }
  }
}
