package dev.upcall.segment;

import dev.upcall.base.Checksums;
import dev.upcall.buffer.Lease;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.segment.layout.Staged;
import dev.upcall.segment.space.SpaceManager;
import dev.upcall.space.Extent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * Writes whole blocks of content from frames to freshly allocated extents: the one way by which
 * content reaches its place. Dispatcher's thread only.
 *
 * @param disk where to
 * @param space whence the extents
 */
public record ContentPlacer(Disk disk, SpaceManager space) {

  /**
   * Consecutive blocks in memory that want a place.
   *
   * @param buffers whole blocks, in order; must not change until the completion
   * @param blocks how many in all
   */
  public record Blocks(List<ByteBuffer> buffers, int blocks) {
    /** The blocks of some leases, each used whole. */
    static Blocks of(List<Lease> leases, int blocks) {
      List<ByteBuffer> buffers = new ArrayList<>(leases.size());
      int left = blocks;
      for (Lease lease : leases) {
        ByteBuffer buffer = lease.buffer();
        int taken = Math.min(left, lease.blocks());
        buffers.add(buffer.slice(buffer.position(), taken * Disk.BLOCK_BYTES));
        left -= taken;
      }
      return new Blocks(buffers, blocks);
    }

    /** The blocks [from, from + count). */
    Blocks slice(int from, int count) {
      List<ByteBuffer> part = new ArrayList<>();
      int skip = from * Disk.BLOCK_BYTES;
      int left = count * Disk.BLOCK_BYTES;
      for (ByteBuffer buffer : buffers) {
        int length = buffer.remaining();
        if (skip < length && left > 0) {
          int taken = Math.min(left, length - skip);
          part.add(buffer.slice(buffer.position() + skip, taken));
          left -= taken;
          skip = 0;
        } else {
          skip -= Math.min(skip, length);
        }
      }
      return new Blocks(part, count);
    }

    /** CRC32C of each block. */
    public int[] checksums() {
      int[] checksums = new int[blocks];
      int i = 0;
      for (ByteBuffer buffer : buffers) {
        for (int at = 0; at < buffer.remaining(); at += Disk.BLOCK_BYTES) {
          checksums[i++] = Checksums.crc32c(buffer, buffer.position() + at, Disk.BLOCK_BYTES);
        }
      }
      return checksums;
    }
  }

  /**
   * How writing by turns goes on.
   *
   * @param dispatcher whose turns
   * @param ioClass of each write; asked when it is made
   * @param stepBlocks how many blocks are given their checksums, and to the disk, in one turn;
   *     asked in each
   */
  public record Pace(Dispatcher dispatcher, Supplier<IoClass> ioClass, IntSupplier stepBlocks) {}

  /** The longest write. */
  private static final int MOST_BLOCKS = Disk.MAX_TRANSFER_BYTES / Disk.BLOCK_BYTES;

  /** The longest write in the background: a read beside it waits for no more than that. */
  private static final int BACKGROUND_BLOCKS = 16;

  /**
   * Writes to extents that the caller has reserved; together they must be as long as the blocks.
   * The checksums are computed here. What is written in the background is written in small pieces.
   *
   * @param named receives, at once, each extent with its checksums
   * @param port completes when all is written, not yet durable
   */
  public void write(
      Blocks blocks,
      List<Extent> extents,
      IoClass ioClass,
      List<Staged.NamedBlocks> named,
      CompletionPort<Unit> port) {
    int most = mostBlocks(ioClass);
    int parts = 0;
    for (Extent extent : extents) {
      parts += Math.toIntExact(Math.ceilDiv(extent.blocks(), most));
    }
    Join join = new Join(parts, port);
    int from = 0;
    for (Extent extent : extents) {
      Blocks whole = blocks.slice(from, Math.toIntExact(extent.blocks()));
      from += whole.blocks();
      named.add(new Staged.NamedBlocks(extent, whole.checksums()));
      for (int at = 0; at < whole.blocks(); at += most) {
        Blocks part = whole.slice(at, Math.min(most, whole.blocks() - at));
        disk.submit(new DiskRequest.Write(extent.block() + at, part.buffers(), ioClass, join));
      }
    }
  }

  /**
   * As {@link #write}, for work for which nobody waits, or many: a bounded number of blocks in each
   * turn.
   *
   * @param named receives, at once, each extent; its checksums are there when the port completes
   */
  public void writeByTurns(
      Blocks blocks,
      List<Extent> extents,
      Pace pace,
      List<Staged.NamedBlocks> named,
      CompletionPort<Unit> port) {
    for (Extent extent : extents) {
      named.add(new Staged.NamedBlocks(extent, new int[Math.toIntExact(extent.blocks())]));
    }
    PlacingByTurns.write(disk, pace, blocks.buffers(), named, port);
  }

  /** The longest write of a class. */
  static int mostBlocks(IoClass ioClass) {
    return ioClass == IoClass.BACKGROUND ? BACKGROUND_BLOCKS : MOST_BLOCKS;
  }

  /** Completes with the first failure, after all have completed. */
  static final class Join implements CompletionPort<Unit> {
    private final CompletionPort<Unit> port;
    private int left;
    private Completion<Unit> result = Completion.done();

    Join(int parts, CompletionPort<Unit> port) {
      this.left = parts;
      this.port = port;
    }

    /** One more is under way. */
    void begun() {
      left++;
    }

    /** One has ended that was no request. */
    void ended() {
      complete(Completion.done());
    }

    @Override
    public void complete(Completion<Unit> completion) {
      if (completion instanceof Completion.Failed<Unit>
          && result instanceof Completion.Done<Unit>) {
        result = completion;
      }
      if (--left == 0) {
        port.complete(result);
      }
    }
  }
}
