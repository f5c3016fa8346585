package dev.upcall.segment;

import dev.upcall.buffer.SharedFrames;
import dev.upcall.io.Disk;
import java.nio.ByteBuffer;
import java.util.List;

/** Copies the whole content of a small segment on a thread that holds nothing of it. */
public final class ContentCopy {
  private ContentCopy() {}

  /**
   * Copies them; false, and any bytes, where not all of them are in memory, or stayed there. Any
   * thread.
   *
   * @param inode of a version; with an extent tree of its own it is not looked for
   * @param overlay what was unplaced of that version; not retained
   * @param into its first bytes, as many as the content has, whatever stands there
   */
  public static boolean isCopied(
      Inode inode, Overlay overlay, SharedFrames frames, ByteBuffer into) {
    return switch (inode.layout()) {
      case Layout.Inline inline -> overlay.isEmpty() && isPut(inline.bytes(), into);
      case Layout.Extents extents -> isCopied(inode, overlay, extents.entries(), frames, into);
      case Layout.Indexed indexed -> false;
    };
  }

  private static boolean isPut(byte[] bytes, ByteBuffer into) {
    into.put(0, bytes);
    return true;
  }

  private static boolean isCopied(
      Inode inode,
      Overlay overlay,
      List<ExtentEntry> entries,
      SharedFrames frames,
      ByteBuffer into) {
    int size = Math.toIntExact(inode.size());
    long blocks = (inode.size() + Disk.BLOCK_BYTES - 1) / Disk.BLOCK_BYTES;
    for (int at = 0; at < size; ) {
      long block = at / Disk.BLOCK_BYTES;
      ContentReader.Place place = ContentReader.locate(overlay, entries, block, blocks);
      int length = (int) Math.min(place.endBlock() * Disk.BLOCK_BYTES, size) - at;
      if (!isCopied(place, block, into, at, length, frames)) {
        return false;
      }
      at += length;
    }
    return true;
  }

  private static boolean isCopied(
      ContentReader.Place place,
      long block,
      ByteBuffer into,
      int at,
      int lengthBytes,
      SharedFrames frames) {
    return switch (place) {
      case ContentReader.Place.Hole hole -> isZeroed(into, at, at + lengthBytes);
      case ContentReader.Place.Placed placed ->
          frames.copy(placed.run(placed.blocks()), into, at, lengthBytes);
      case ContentReader.Place.InMemory(Overlay.Part part, long end) -> {
        int from = Math.toIntExact(part.leaseBlock() + block - part.block()) * Disk.BLOCK_BYTES;
        yield part.lease().copy(from, into, at, lengthBytes);
      }
      case ContentReader.Place.InMemory other -> false;
    };
  }

  private static boolean isZeroed(ByteBuffer into, int from, int to) {
    DataRun.zero(into, from, to);
    return true;
  }
}
