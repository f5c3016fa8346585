package dev.upcall.segment;

import dev.upcall.buffer.SharedFrames;
import dev.upcall.io.Disk;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Copies the whole content of a small segment on a thread that holds nothing of it. */
public final class ContentCopy {
  private ContentCopy() {}

  /**
   * The bytes, or null where not all of them are in memory, or stayed there. Any thread.
   *
   * @param inode of a version; with an extent tree of its own it is not looked for
   * @param overlay what was unplaced of that version; not retained
   */
  public static byte @Nullable [] of(Inode inode, Overlay overlay, SharedFrames frames) {
    return switch (inode.layout()) {
      case Layout.Inline inline -> overlay.isEmpty() ? inline.bytes().clone() : null;
      case Layout.Extents extents -> copy(inode, overlay, extents.entries(), frames);
      case Layout.Indexed indexed -> null;
    };
  }

  private static byte @Nullable [] copy(
      Inode inode, Overlay overlay, List<ExtentEntry> entries, SharedFrames frames) {
    byte[] bytes = new byte[Math.toIntExact(inode.size())];
    long blocks = (inode.size() + Disk.BLOCK_BYTES - 1) / Disk.BLOCK_BYTES;
    for (int at = 0; at < bytes.length; ) {
      long block = at / Disk.BLOCK_BYTES;
      ContentReader.Place place = ContentReader.locate(overlay, entries, block, blocks);
      int length = (int) Math.min(place.endBlock() * Disk.BLOCK_BYTES, bytes.length) - at;
      if (!isCopied(place, block, bytes, at, length, frames)) {
        return null;
      }
      at += length;
    }
    return bytes;
  }

  private static boolean isCopied(
      ContentReader.Place place,
      long block,
      byte[] into,
      int at,
      int lengthBytes,
      SharedFrames frames) {
    return switch (place) {
      case ContentReader.Place.Hole hole -> true;
      case ContentReader.Place.Placed placed ->
          frames.copy(placed.run(placed.blocks()), into, at, lengthBytes);
      case ContentReader.Place.InMemory(Overlay.Part part, long end) -> {
        int from = Math.toIntExact(part.leaseBlock() + block - part.block()) * Disk.BLOCK_BYTES;
        yield part.lease().copy(from, into, at, lengthBytes);
      }
      case ContentReader.Place.InMemory other -> false;
    };
  }
}
