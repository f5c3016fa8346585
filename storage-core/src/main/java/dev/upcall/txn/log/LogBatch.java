package dev.upcall.txn.log;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.txn.volume.LogPoint;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A batch in memory: filling, waiting, or on its way to disk. */
public final class LogBatch {
  private static final byte[] ZEROS = new byte[Disk.BLOCK_BYTES];

  private final ByteBuffer buffer;
  private final BodyCrc crc = new BodyCrc();
  private final List<CompletionPort<Unit>> ports = new ArrayList<>();

  /** Whom the ports serve, as the flight recorder knows it. */
  private long[] askers = new long[64];

  private int recordCount;
  private long firstScn;
  private long lastScn;
  private long namedBytes;

  /** An empty batch in a buffer of whole blocks. */
  LogBatch(ByteBuffer buffer) {
    this.buffer = buffer.clear().position(BatchHeader.BYTES);
  }

  /** Whether a record of so many framed bytes still fits. */
  boolean fits(long framedBytes) {
    return framedBytes <= buffer.remaining();
  }

  /** Copies a record into the batch. */
  void add(
      long scn,
      ByteBuffer record,
      List<NamedExtent> named,
      CompletionPort<Unit> durable,
      long asker) {
    int start = buffer.position();
    LogFrames.encode(buffer, scn, record, named);
    crc.update(buffer.slice(start, buffer.position() - start));
    for (NamedExtent one : named) {
      namedBytes += one.extent().blocks() * Disk.BLOCK_BYTES;
    }
    if (recordCount == 0) {
      firstScn = scn;
    }
    lastScn = scn;
    recordCount++;
    addBarrier(durable, asker);
  }

  /** Lets a barrier complete with this batch. */
  public void addBarrier(CompletionPort<Unit> port, long asker) {
    if (ports.size() == askers.length) {
      askers = Arrays.copyOf(askers, 2 * askers.length);
    }
    askers[ports.size()] = asker;
    ports.add(port);
  }

  /** Head and body so far, in bytes. */
  public int bytes() {
    return buffer.position();
  }

  int blocks() {
    return BatchHeader.blocksOf(bytes());
  }

  int recordCount() {
    return recordCount;
  }

  public long namedBytes() {
    return namedBytes;
  }

  long firstScn() {
    return firstScn;
  }

  long lastScn() {
    return lastScn;
  }

  public List<CompletionPort<Unit>> ports() {
    return ports;
  }

  /** Whom a port serves. */
  public long asker(int port) {
    return askers[port];
  }

  /**
   * The head for this batch behind a place, which is also its mark: the batch before is durable.
   *
   * @param durableScn the last SCN before, for a batch without records
   * @param flags {@link BatchHeader#MARK_ONLY}, {@link BatchHeader#EXTENTS_SYNCED} as they apply
   */
  BatchHeader head(long volumeId, long incarnation, LogPoint at, long durableScn, int flags) {
    boolean hasRecords = recordCount > 0;
    return new BatchHeader(
        volumeId,
        at,
        incarnation,
        hasRecords ? firstScn : durableScn,
        hasRecords ? lastScn : durableScn,
        at.position(),
        bytes(),
        recordCount,
        namedBytes > 0 ? flags | BatchHeader.NAMES_EXTENTS : flags,
        /* crc= */ 0);
  }

  /** Ends the filling: gives the batch its head and pads it with zeros to whole blocks. */
  BatchHeader seal(BatchHeader head) {
    int padding = blocks() * Disk.BLOCK_BYTES - bytes();
    buffer.put(bytes(), ZEROS, 0, padding);
    return head.encodeInto(buffer, crc);
  }

  /** The sealed batch's blocks. */
  public ByteBuffer run() {
    return buffer.duplicate().position(0).limit(blocks() * Disk.BLOCK_BYTES);
  }

  /** The buffer, to be used again when the batch is done. */
  ByteBuffer buffer() {
    return buffer;
  }
}
