package dev.upcall.sim;

import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.DiskRules;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The buffers of a request, block by block. */
final class BlockBytes {
  /** A block that was never written. */
  static final byte[] ZEROS = new byte[Disk.BLOCK_BYTES];

  private static final byte[] POISON = new byte[Disk.BLOCK_BYTES];

  static {
    Arrays.fill(POISON, (byte) 0xDB);
  }

  private BlockBytes() {}

  /** The buffers of a request as they are when it is made; empty if it moves nothing. */
  static List<ByteBuffer> duplicates(DiskRequest request) {
    List<ByteBuffer> buffers =
        switch (request) {
          case DiskRequest.Read read -> read.into();
          case DiskRequest.Write write -> write.from();
          case DiskRequest.DurableWrite write -> write.from();
          default -> List.of();
        };
    List<ByteBuffer> duplicates = new ArrayList<>(buffers.size());
    for (ByteBuffer buffer : buffers) {
      duplicates.add(buffer.duplicate());
    }
    return duplicates;
  }

  /** What the buffers hold now. */
  static byte[][] of(List<ByteBuffer> buffers) {
    byte[][] blocks = new byte[DiskRules.lengthBytes(buffers) / Disk.BLOCK_BYTES][];
    int at = 0;
    for (ByteBuffer buffer : buffers) {
      for (int i = buffer.position(); i < buffer.limit(); i += Disk.BLOCK_BYTES) {
        byte[] block = new byte[Disk.BLOCK_BYTES];
        buffer.get(i, block);
        blocks[at++] = DiskImage.isZero(block) ? ZEROS : block;
      }
    }
    return blocks;
  }

  /** Fills the buffers with what an image holds from a block on. */
  static void read(DiskImage image, long block, List<ByteBuffer> into) {
    long at = block;
    for (ByteBuffer buffer : into) {
      for (int i = buffer.position(); i < buffer.limit(); i += Disk.BLOCK_BYTES) {
        byte[] bytes = image.get(at++);
        buffer.put(i, bytes == null ? ZEROS : bytes);
      }
    }
  }

  /** Until a read has completed its buffers hold rubbish. */
  static void poison(List<ByteBuffer> buffers) {
    for (ByteBuffer buffer : buffers) {
      for (int i = buffer.position(); i < buffer.limit(); i += Disk.BLOCK_BYTES) {
        buffer.put(i, POISON);
      }
    }
  }
}
