package dev.upcall.txn.log;

import dev.upcall.base.Invariants;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.space.Extent;
import dev.upcall.txn.volume.Join;
import dev.upcall.txn.volume.VolumeLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Moves a run of log positions between memory and disk: cut at the ring's end and at the greatest
 * transfer of a request, all parts at once, one completion.
 */
public final class RingTransfer {
  private static final int MAX_PART_BLOCKS = Disk.MAX_TRANSFER_BYTES / Disk.BLOCK_BYTES;

  /** One write takes the same zeros many times: fresh memory costs an upcall a fault a page. */
  private static final int ZERO_BLOCKS = 16;

  private RingTransfer() {}

  /** Which request the parts become. */
  public enum Kind {
    /** Into memory. */
    READ,
    /** To disk; durable after a sync. */
    WRITE,
    /** To disk, durably. */
    DURABLE_WRITE
  }

  /** Moves {@code run}, position to limit, from or to the ring at {@code position}. */
  static void start(
      LogEnvironment env, Kind kind, long position, ByteBuffer run, CompletionPort<Unit> port) {
    List<Part> parts = parts(env.layout(), position, run);
    Join join = new Join(parts.size(), port);
    for (Part part : parts) {
      env.disk().submit(request(kind, part, join));
    }
  }

  /**
   * A piece of a run that one request can move.
   *
   * @param block where on the volume
   * @param bytes its memory
   */
  public record Part(long block, ByteBuffer bytes) {}

  /** A run in pieces. */
  public static List<Part> parts(VolumeLayout layout, long position, ByteBuffer run) {
    int blocks = run.remaining() / Disk.BLOCK_BYTES;
    Invariants.check(blocks > 0 && run.remaining() % Disk.BLOCK_BYTES == 0, "not a run of blocks");
    int logBlocks = layout.logBlocks();
    List<Part> parts = new ArrayList<>();
    for (int done = 0; done < blocks; ) {
      long at = position + done;
      int untilWrap = logBlocks - (int) (at % logBlocks);
      int part = Math.min(Math.min(blocks - done, untilWrap), MAX_PART_BLOCKS);
      ByteBuffer bytes =
          run.slice(run.position() + done * Disk.BLOCK_BYTES, part * Disk.BLOCK_BYTES)
              .order(run.order());
      parts.add(new Part(layout.logBlock(at), bytes));
      done += part;
    }
    return parts;
  }

  /**
   * The requests that prepare a part of the ring, one after the other: room on the device, zeros,
   * and last a sync.
   *
   * @param run positions of the first lap
   */
  public static List<Function<CompletionPort<Unit>, DiskRequest>> preparing(
      VolumeLayout layout, Extent run) {
    long end = layout.logStart() + run.end();
    ByteBuffer zeros = Disk.newBuffer((int) Math.min(run.blocks(), ZERO_BLOCKS) * Disk.BLOCK_BYTES);
    List<Function<CompletionPort<Unit>, DiskRequest>> requests = new ArrayList<>();
    requests.add(
        port ->
            new DiskRequest.Allocate(
                layout.logStart() + run.block(), run.blocks(), IoClass.FOREGROUND_WRITE, port));
    for (long block = layout.logStart() + run.block(); block < end; block += MAX_PART_BLOCKS) {
      long at = block;
      List<ByteBuffer> piece = repeated(zeros, (int) Math.min(end - at, MAX_PART_BLOCKS));
      requests.add(port -> new DiskRequest.Write(at, piece, IoClass.FOREGROUND_WRITE, port));
    }
    requests.add(port -> new DiskRequest.Sync(IoClass.FOREGROUND_WRITE, port));
    return requests;
  }

  private static List<ByteBuffer> repeated(ByteBuffer zeros, int blocks) {
    List<ByteBuffer> buffers = new ArrayList<>();
    int left = blocks * Disk.BLOCK_BYTES;
    while (left > 0) {
      int bytes = Math.min(left, zeros.capacity());
      buffers.add(zeros.slice(0, bytes));
      left -= bytes;
    }
    return buffers;
  }

  /** The request that moves a piece. */
  public static DiskRequest request(Kind kind, Part part, CompletionPort<Unit> port) {
    List<ByteBuffer> buffers = List.of(part.bytes());
    return switch (kind) {
      case READ -> new DiskRequest.Read(part.block(), buffers, IoClass.FOREGROUND_READ, port);
      case WRITE -> new DiskRequest.Write(part.block(), buffers, IoClass.LOG, port);
      case DURABLE_WRITE -> new DiskRequest.DurableWrite(part.block(), buffers, IoClass.LOG, port);
    };
  }
}
