package dev.upcall.io.volume;

import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.DiskRules;
import dev.upcall.io.LibC;
import io.netty.channel.uring.IoUringIoOps;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One place for a request in flight: the only class that knows the layout of io_uring's submission
 * entries. Keeps the request, and by it the buffers, alive until the kernel is done with them.
 *
 * <p>The tag is 16 bits wide, because Netty carries so many without a table of its own: 10 bits of
 * index and 6 of generation.
 */
final class RingSlot {
  static final int TAG_MASK = 0xFFFF;

  private static final int INDEX_BITS = 10;
  private static final int INDEX_MASK = (1 << INDEX_BITS) - 1;
  private static final int GENERATION_MASK = TAG_MASK >>> INDEX_BITS;

  private static final byte OP_READV = 1;
  private static final byte OP_WRITEV = 2;
  private static final byte OP_FSYNC = 3;
  private static final byte OP_FALLOCATE = 17;
  private static final byte OP_READ = 22;
  private static final byte OP_WRITE = 23;
  private static final int FSYNC_DATASYNC = 1;
  private static final int RWF_DSYNC = 2;
  private static final int MAX_BUFFERS = Disk.MAX_TRANSFER_BYTES / Disk.BLOCK_BYTES;

  private final int index;
  private final int fd;
  private int generation;
  private @Nullable DiskRequest request;
  private int totalBytes;
  private int doneBytes;
  private int retries;
  private int ticket;
  private @Nullable MemorySegment vectors;

  RingSlot(int index, int fd) {
    this.index = index;
    this.fd = fd;
  }

  static int index(int tag) {
    return tag & INDEX_MASK;
  }

  int index() {
    return index;
  }

  int tag() {
    return generation << INDEX_BITS | index;
  }

  @Nullable DiskRequest request() {
    return request;
  }

  /** What the present request transfers. */
  int totalBytes() {
    return totalBytes;
  }

  /** The present request's at the disk's meter. */
  int ticket() {
    return ticket;
  }

  /** The slot serves this request from now on, which has {@link #begun} next. */
  void take(DiskRequest next) {
    request = next;
    totalBytes = DiskRules.lengthBytes(next.buffers());
    doneBytes = 0;
    retries = 0;
  }

  /** The disk's meter has given the present request a ticket. */
  void begun(int itsTicket) {
    ticket = itsTicket;
  }

  /** The slot is free; what still carries its tag is stale. */
  void give() {
    request = null;
    generation = (generation + 1) & GENERATION_MASK;
  }

  /**
   * Takes note of bytes transferred. Only whole blocks count, so that the rest stays aligned.
   *
   * @return whether the request is done
   */
  boolean advance(int bytes) {
    if (doneBytes + bytes >= totalBytes) {
      return true;
    }
    int whole = (doneBytes + bytes) / Disk.BLOCK_BYTES * Disk.BLOCK_BYTES;
    if (whole > doneBytes) {
      doneBytes = whole;
      retries = 0;
    }
    return false;
  }

  /** Counts attempts since the last progress. */
  int countRetry() {
    return ++retries;
  }

  /** The submission entry for what is left of the request. */
  IoUringIoOps operation() {
    DiskRequest current = request;
    if (current == null) {
      throw new IllegalStateException("empty slot");
    }
    return switch (current.operation()) {
      case READ -> transfer(OP_READ, OP_READV, 0, current);
      case WRITE -> transfer(OP_WRITE, OP_WRITEV, 0, current);
      case DURABLE_WRITE -> transfer(OP_WRITE, OP_WRITEV, RWF_DSYNC, current);
      case SYNC -> entry(OP_FSYNC, 0, 0, 0, FSYNC_DATASYNC);
      case ALLOCATE ->
          entry(OP_FALLOCATE, bytes(current.firstBlock()), bytes(current.blocks()), 0, 0);
      case DISCARD ->
          entry(
              OP_FALLOCATE,
              bytes(current.firstBlock()),
              bytes(current.blocks()),
              LibC.FALLOC_FL_PUNCH_HOLE | LibC.FALLOC_FL_KEEP_SIZE,
              0);
      case SHRINK, STAT -> throw new IllegalStateException("not for the ring");
    };
  }

  private IoUringIoOps transfer(byte single, byte vectored, int flags, DiskRequest moved) {
    List<ByteBuffer> buffers = moved.buffers();
    long offset = bytes(moved.firstBlock()) + doneBytes;
    if (buffers.size() == 1) {
      long address = MemorySegment.ofBuffer(buffers.getFirst()).address() + doneBytes;
      return entry(single, offset, address, totalBytes - doneBytes, flags);
    }
    MemorySegment table = vectors;
    if (table == null) {
      table = MemorySegment.ofBuffer(Disk.newBuffer(MAX_BUFFERS * LibC.VECTOR_BYTES));
      vectors = table;
    }
    int count = LibC.vectors(buffers, doneBytes, table);
    return entry(vectored, offset, table.address(), count, flags);
  }

  private IoUringIoOps entry(byte opcode, long offset, long address, int length, int flags) {
    return new IoUringIoOps(
        opcode,
        (byte) 0,
        (short) 0,
        fd,
        offset,
        address,
        length,
        flags,
        (long) (short) tag(),
        (short) 0,
        (short) 0,
        0,
        0);
  }

  private static long bytes(long blocks) {
    return blocks * Disk.BLOCK_BYTES;
  }
}
