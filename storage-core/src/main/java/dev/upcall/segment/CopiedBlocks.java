package dev.upcall.segment;

import dev.upcall.io.Disk;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Unplaced content copied out of its frames onto the heap: what a snapshot goes on seeing when the
 * store has written over it or given it a place. Frames would be the shorter way, but a snapshot
 * may live long, and frames that cannot leave would in the end leave no room for large ones.
 */
public final class CopiedBlocks implements Unplaced {
  private final List<Copy> copies;

  private CopiedBlocks(List<Copy> copies) {
    this.copies = copies;
  }

  /**
   * Some blocks.
   *
   * @param block the first content block
   * @param bytes theirs, read-only, from position 0
   */
  public record Copy(long block, ByteBuffer bytes) implements Piece {
    @Override
    public long end() {
      return block + bytes.capacity() / Disk.BLOCK_BYTES;
    }
  }

  /** Copies an overlay. */
  public static CopiedBlocks of(Overlay overlay) {
    List<Copy> copies = new ArrayList<>(overlay.parts().size());
    for (Overlay.Part part : overlay.parts()) {
      ByteBuffer bytes = ContentReader.bytes(part, part.block());
      ByteBuffer copy = ByteBuffer.allocate(bytes.remaining());
      copies.add(new Copy(part.block(), copy.put(bytes).flip().asReadOnlyBuffer()));
    }
    return new CopiedBlocks(copies);
  }

  /** Heap bytes. */
  public long sizeBytes() {
    return copies.stream().mapToLong(copy -> copy.bytes().capacity()).sum();
  }

  @Override
  public @Nullable Copy ceiling(long block) {
    for (Copy copy : copies) {
      if (copy.end() > block) {
        return copy;
      }
    }
    return null;
  }

  @Override
  public boolean isEmpty() {
    return copies.isEmpty();
  }
}
