package dev.upcall.io;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Failure;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What every {@link Disk} demands of a request, in one place: shape (a programmer's error
 * otherwise) and range (an expected failure, because a damaged volume can lead there).
 */
public final class DiskRules {
  private DiskRules() {}

  /** The bytes between position and limit of all buffers. */
  public static int lengthBytes(List<ByteBuffer> buffers) {
    int sum = 0;
    for (int i = 0; i < buffers.size(); i++) {
      sum += buffers.get(i).remaining();
    }
    return sum;
  }

  /** The operation's name in messages. */
  public static String operation(DiskRequest request) {
    return request.operation().words();
  }

  /**
   * Throws unless the request is well formed: at least one block, at most {@link
   * Disk#MAX_TRANSFER_BYTES}, buffers direct, whole blocks, and aligned to a block in memory.
   */
  public static void check(DiskRequest request) {
    switch (request.operation()) {
      case READ -> {
        checkTransfer(request);
        for (int i = 0; i < request.buffers().size(); i++) {
          Invariants.check(
              !request.buffers().get(i).isReadOnly(), "read into a read-only buffer", i);
        }
      }
      case WRITE, DURABLE_WRITE -> checkTransfer(request);
      case SYNC, STAT -> {}
      case ALLOCATE, DISCARD -> checkRun(request.firstBlock(), request.blocks());
      case SHRINK -> checkRun(0, request.blocks());
    }
  }

  /**
   * The failure of a request that reaches past the end of a volume, or null. Only {@code Allocate}
   * may do so.
   */
  public static @Nullable Failure outOfRange(DiskRequest request, long sizeBlocks) {
    if (request instanceof DiskRequest.Allocate) {
      return null;
    }
    long first = request.firstBlock();
    long end = request instanceof DiskRequest.Shrink ? first : first + request.blocks();
    if (end <= sizeBlocks) {
      return null;
    }
    return new Failure.Device(
        operation(request),
        "blocks %d to %d reach past the volume's end at %d".formatted(first, end, sizeBlocks));
  }

  /** Whether a disk may be asked for it whose volume was taken away. */
  public static boolean changesNothing(DiskRequest request) {
    return request instanceof DiskRequest.Read || request instanceof DiskRequest.Stat;
  }

  /** Nobody finds the volume any more: what is written to it goes with the descriptor. */
  public static Failure removed(String volume) {
    return new Failure.Device(
        "volume " + volume, "its file was removed while the store had it open");
  }

  /** The volume has lost its end. */
  public static Failure cut(String volume, long sizeBytes, long sizeBlocks) {
    return new Failure.Device(
        "volume " + volume,
        "its file was cut to %d bytes while the store had it open; it had %d"
            .formatted(sizeBytes, sizeBlocks * Disk.BLOCK_BYTES));
  }

  /** The size of a volume behind a request that was done. */
  public static long resized(DiskRequest request, long sizeBlocks) {
    return switch (request.operation()) {
      case ALLOCATE -> Math.max(sizeBlocks, request.firstBlock() + request.blocks());
      case SHRINK -> Math.min(sizeBlocks, request.blocks());
      case READ, WRITE, DURABLE_WRITE, SYNC, DISCARD, STAT -> sizeBlocks;
    };
  }

  private static void checkRun(long block, long blocks) {
    Invariants.check(
        block >= 0 && blocks > 0 && blocks <= Long.MAX_VALUE / Disk.BLOCK_BYTES - block,
        "not a run of blocks",
        block,
        blocks);
  }

  private static void checkTransfer(DiskRequest request) {
    List<ByteBuffer> buffers = request.buffers();
    int sum = 0;
    for (int i = 0; i < buffers.size(); i++) {
      ByteBuffer buffer = buffers.get(i);
      int bytes = buffer.remaining();
      Invariants.check(bytes > 0 && bytes % Disk.BLOCK_BYTES == 0, "not whole blocks", bytes);
      Invariants.check(
          buffer.isDirect() && buffer.alignmentOffset(buffer.position(), Disk.BLOCK_BYTES) == 0,
          "not direct or not aligned to a block: buffer",
          i);
      sum += bytes;
      Invariants.check(sum <= Disk.MAX_TRANSFER_BYTES, "transfer too large", sum);
    }
    Invariants.check(sum > 0, "empty transfer at block", request.firstBlock());
    checkRun(request.firstBlock(), sum / Disk.BLOCK_BYTES);
  }
}
