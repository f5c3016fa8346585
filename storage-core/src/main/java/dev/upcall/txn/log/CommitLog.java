package dev.upcall.txn.log;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.txn.volume.LogPoint;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The write-ahead log as the machines of a store use it, whoever writes it: {@link LogWriter} on
 * the dispatcher, {@code GroupCommitLog} on the threads of those who commit. All methods are called
 * on the dispatcher's thread; completions come through its FIFO.
 */
public interface CommitLog {
  /** The largest record without named extents; {@link NamedExtent#encodedBytes} count like it. */
  int maxRecordBytes();

  /** {@code TooLarge} if no batch can ever hold such a record, else null. */
  default @Nullable Failure refuses(long recordBytes, List<NamedExtent> named) {
    long bytes = recordBytes + NamedExtent.encodedBytes(named);
    return bytes <= maxRecordBytes()
        ? null
        : new Failure.TooLarge("the log record of a change", bytes, maxRecordBytes());
  }

  /**
   * Whether the next {@link #append} in this upcall may be of such a record. Says yes after a
   * failure too: then the append delivers the failure.
   */
  boolean hasRoom(long recordBytes, List<NamedExtent> named);

  /**
   * Completes when {@link #hasRoom} is worth asking again for such a record, or with {@code
   * ReadOnly} after a failure, {@code Closed} when the log is to end, {@code VolumeFull} when the
   * device has no room for it. For the first of those who wait: a later call takes the place of the
   * one before.
   */
  void whenRoom(long recordBytes, List<NamedExtent> named, CompletionPort<Unit> port);

  /**
   * Whether {@link #hasRoom} said no because more of the ring is just being prepared, which needs
   * nothing but the device.
   */
  boolean isPreparing();

  /**
   * Completes when what {@link #isPreparing} is prepared, or nothing is any more. Failures: {@code
   * VolumeFull}, {@code Device}; and as those of {@link #whenRoom}.
   */
  void whenPrepared(CompletionPort<Unit> port);

  /**
   * Completes when the device has room for all of the ring, so that the log never needs more of it.
   * Failures: as those of {@link #whenPrepared}.
   */
  void whenWhole(CompletionPort<Unit> port);

  /**
   * Takes a record into the log. Cannot wait and, once {@link #hasRoom} said yes in the same
   * upcall, cannot fail.
   *
   * @param scn greater than that of any record before
   * @param record position to limit; copied before this returns, and left as it is
   * @param named the extents that it stands on; their data writes have completed
   * @param durable completes in the order of SCNs when the record is durable, or with {@code
   *     Device} if that failed, with {@code ReadOnly} after an earlier failure, or with {@code
   *     Closed} when the log is to end
   */
  void append(long scn, ByteBuffer record, List<NamedExtent> named, CompletionPort<Unit> durable);

  /**
   * As {@link #append}, of a record that nobody waits for: while others append it may wait a moment
   * for one of theirs, so that no write of its own is in their way.
   */
  default void appendAtLeisure(
      long scn, ByteBuffer record, List<NamedExtent> named, CompletionPort<Unit> durable) {
    append(scn, record, named, durable);
  }

  /** Completes when everything appended so far is durable, or with the failure that prevents it. */
  void barrier(CompletionPort<Unit> port);

  /** The last SCN whose record is durable. */
  long durableScn();

  /**
   * Where a replay has to begin that is to see every record appended from now on. (It also sees
   * those that have not been started to be written yet.) What a checkpoint takes down together with
   * the SCN at which it freezes the trees.
   */
  LogPoint replayPoint();

  /** Blocks of the ring in use. */
  default int usedBlocks() {
    return counters().usedBlocks();
  }

  /** What the log has done. */
  LogCounters counters();

  /**
   * Makes the ring before a position free for reuse. Call only when every superblock copy that
   * replays from there is durable.
   */
  void trim(long position);

  /**
   * A sync or a metadata write failed elsewhere, so that no later sync can be believed: from now on
   * nothing is acknowledged, as if the log itself had failed.
   */
  void failElsewhere(Failure why);

  /**
   * Takes nothing more, makes everything appended durable, writes the mark and completes. After a
   * failure it completes with {@code ReadOnly} once nothing is in flight.
   */
  void close(CompletionPort<Unit> port);
}
