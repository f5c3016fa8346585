package dev.upcall.segment;

import dev.upcall.buffer.BufferManager;
import dev.upcall.buffer.Lease;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.ContentSlice;
import dev.upcall.content.LeaseOwner;
import dev.upcall.io.Disk;
import dev.upcall.io.IoClass;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The fetch phase of an unplaced write: takes frames for the touched blocks, fetches what the first
 * and the last of them held before, and lays the new bytes over it. One object for one write.
 */
public final class WritePreparer {
  private final BufferManager buffers;
  private final PinnedContent base;
  private final LeaseOwner owner;
  private final long offset;
  private final ByteBuffer bytes;
  private final CompletionPort<List<Overlay.Part>> port;
  private final List<Overlay.Part> parts = new ArrayList<>();

  private WritePreparer(
      BufferManager buffers,
      PinnedContent base,
      LeaseOwner owner,
      Write write,
      CompletionPort<List<Overlay.Part>> port) {
    this.buffers = buffers;
    this.base = base;
    this.owner = owner;
    this.offset = write.offset();
    this.bytes = write.bytes();
    this.port = port;
  }

  /**
   * What is to be written.
   *
   * @param offset the first byte
   * @param bytes position to limit, at least one; must not change until the completion
   */
  public record Write(long offset, ByteBuffer bytes) {}

  /**
   * Prepares a write over {@code base}, which the caller keeps pinned until the completion and
   * whose size reaches over everything that may not be lost. The parts that come carry one pin
   * each, the caller's.
   */
  public static void prepare(
      BufferManager buffers,
      PinnedContent base,
      LeaseOwner owner,
      Write write,
      CompletionPort<List<Overlay.Part>> port) {
    new WritePreparer(buffers, base, owner, write, port).next(write.offset() / Disk.BLOCK_BYTES);
  }

  private long end() {
    return offset + bytes.remaining();
  }

  private void next(long block) {
    long endBlock = (end() + Disk.BLOCK_BYTES - 1) / Disk.BLOCK_BYTES;
    if (block == endBlock) {
      port.complete(Completion.done(parts));
      return;
    }
    int wanted = (int) Math.min(ContentReader.CHUNK_BLOCKS, endBlock - block);
    for (int blocks = wanted; blocks > 0; blocks /= 2) {
      Lease lease = buffers.tryAllocate(blocks, owner);
      if (lease != null) {
        begin(block, blocks, lease);
        return;
      }
    }
    buffers.allocate(
        /* blocks= */ 1,
        owner,
        completion -> {
          switch (completion) {
            case Completion.Failed<Lease> failed -> fail(failed.failure());
            case Completion.Done<Lease> done -> begin(block, 1, done.value());
          }
        });
  }

  private void begin(long block, int blocks, Lease lease) {
    parts.add(new Overlay.Part(block, blocks, lease, 0));
    fetchFirst(block, blocks, lease);
  }

  private void fetchFirst(long block, int blocks, Lease lease) {
    if (offset <= block * Disk.BLOCK_BYTES) {
      fetchLast(block, blocks, lease);
      return;
    }
    fetch(block, lease, 0, completion -> then(completion, () -> fetchLast(block, blocks, lease)));
  }

  private void fetchLast(long block, int blocks, Lease lease) {
    long last = block + blocks - 1;
    boolean coversFirst = blocks == 1 && offset > block * Disk.BLOCK_BYTES;
    if (end() >= (last + 1) * Disk.BLOCK_BYTES || coversFirst) {
      lay(block, blocks, lease);
      return;
    }
    fetch(last, lease, blocks - 1, completion -> then(completion, () -> lay(block, blocks, lease)));
  }

  /** Brings what a block held into its place in the frame, zeros behind it. */
  private void fetch(long block, Lease lease, int index, CompletionPort<Unit> then) {
    zero(lease, index);
    fetch(block * Disk.BLOCK_BYTES, (block + 1) * Disk.BLOCK_BYTES, lease, index, then);
  }

  private void fetch(long from, long to, Lease lease, int index, CompletionPort<Unit> then) {
    base.read(
        from,
        (int) (to - from),
        IoClass.FOREGROUND_READ,
        completion -> {
          switch (completion) {
            case Completion.Failed<ContentSlice> failed -> then.complete(failed.cast());
            case Completion.Done<ContentSlice> done -> {
              ContentSlice slice = done.value();
              ByteBuffer to1 = lease.buffer();
              to1.position(index * Disk.BLOCK_BYTES + (int) (from % Disk.BLOCK_BYTES));
              for (ByteBuffer each : slice.buffers()) {
                to1.put(each.duplicate());
              }
              int read = slice.sizeBytes();
              slice.release();
              if (read == 0 || from + read == to) {
                then.complete(Completion.done());
              } else {
                fetch(from + read, to, lease, index, then);
              }
            }
          }
        });
  }

  private static void zero(Lease lease, int index) {
    MemorySegment.ofBuffer(lease.buffer())
        .asSlice((long) index * Disk.BLOCK_BYTES, Disk.BLOCK_BYTES)
        .fill((byte) 0);
  }

  private void lay(long block, int blocks, Lease lease) {
    long from = Math.max(offset, block * Disk.BLOCK_BYTES);
    long to = Math.min(end(), (block + blocks) * Disk.BLOCK_BYTES);
    lease
        .buffer()
        .put(
            (int) (from - block * Disk.BLOCK_BYTES),
            bytes,
            bytes.position() + (int) (from - offset),
            (int) (to - from));
    next(block + blocks);
  }

  private void then(Completion<Unit> completion, Runnable next) {
    if (completion instanceof Completion.Failed<Unit> failed) {
      fail(failed.failure());
    } else {
      next.run();
    }
  }

  private void fail(Failure failure) {
    for (Overlay.Part part : parts) {
      part.lease().release();
    }
    port.complete(Completion.failed(failure));
  }
}
