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

  /** How many blocks a request moves, allocates, discards or keeps; 0 for those without blocks. */
  public static long blocks(DiskRequest request) {
    return switch (request) {
      case DiskRequest.Read read -> lengthBytes(read.into()) / Disk.BLOCK_BYTES;
      case DiskRequest.Write write -> lengthBytes(write.from()) / Disk.BLOCK_BYTES;
      case DiskRequest.DurableWrite write -> lengthBytes(write.from()) / Disk.BLOCK_BYTES;
      case DiskRequest.Sync _, DiskRequest.Stat _ -> 0;
      case DiskRequest.Allocate allocate -> allocate.blocks();
      case DiskRequest.Discard discard -> discard.blocks();
      case DiskRequest.Shrink shrink -> shrink.blocks();
    };
  }

  /** The first block that a request touches; 0 for those without blocks. */
  public static long firstBlock(DiskRequest request) {
    return switch (request) {
      case DiskRequest.Read read -> read.block();
      case DiskRequest.Write write -> write.block();
      case DiskRequest.DurableWrite write -> write.block();
      case DiskRequest.Sync _, DiskRequest.Stat _ -> 0;
      case DiskRequest.Allocate allocate -> allocate.block();
      case DiskRequest.Discard discard -> discard.block();
      case DiskRequest.Shrink shrink -> shrink.blocks();
    };
  }

  /** The operation's name in messages. */
  public static String operation(DiskRequest request) {
    return DiskOperation.of(request).words();
  }

  /**
   * Throws unless the request is well formed: at least one block, at most {@link
   * Disk#MAX_TRANSFER_BYTES}, buffers direct, whole blocks, and aligned to a block in memory.
   */
  public static void check(DiskRequest request) {
    switch (request) {
      case DiskRequest.Read read -> {
        checkTransfer(read.block(), read.into());
        for (int i = 0; i < read.into().size(); i++) {
          Invariants.check(!read.into().get(i).isReadOnly(), "read into a read-only buffer", i);
        }
      }
      case DiskRequest.Write write -> checkTransfer(write.block(), write.from());
      case DiskRequest.DurableWrite write -> checkTransfer(write.block(), write.from());
      case DiskRequest.Sync _, DiskRequest.Stat _ -> {}
      case DiskRequest.Allocate allocate -> checkRun(allocate.block(), allocate.blocks());
      case DiskRequest.Discard discard -> checkRun(discard.block(), discard.blocks());
      case DiskRequest.Shrink shrink -> checkRun(0, shrink.blocks());
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
    long first = firstBlock(request);
    long end = request instanceof DiskRequest.Shrink ? first : first + blocks(request);
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
  static long resized(DiskRequest request, long sizeBlocks) {
    return switch (request) {
      case DiskRequest.Allocate grow -> Math.max(sizeBlocks, grow.block() + grow.blocks());
      case DiskRequest.Shrink shrink -> Math.min(sizeBlocks, shrink.blocks());
      default -> sizeBlocks;
    };
  }

  private static void checkRun(long block, long blocks) {
    Invariants.check(
        block >= 0 && blocks > 0 && blocks <= Long.MAX_VALUE / Disk.BLOCK_BYTES - block,
        "not a run of blocks",
        block,
        blocks);
  }

  private static void checkTransfer(long block, List<ByteBuffer> buffers) {
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
    Invariants.check(sum > 0, "empty transfer at block", block);
    checkRun(block, sum / Disk.BLOCK_BYTES);
  }
}
