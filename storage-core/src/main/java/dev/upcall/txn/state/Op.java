package dev.upcall.txn.state;

import dev.upcall.segment.Overlay;
import dev.upcall.space.Extent;
import dev.upcall.txn.StoreTree;
import java.nio.ByteBuffer;
import java.util.List;

/** One step of a change, as it is applied and as the log keeps it. */
public sealed interface Op {
  /** Sets an entry of a tree. */
  record Put(StoreTree tree, byte[] key, byte[] value) implements Op {}

  /** Removes an entry of a tree. */
  record Remove(StoreTree tree, byte[] key) implements Op {}

  /**
   * Unplaced content.
   *
   * @param segment whose
   * @param offset the first byte
   * @param bytes what the log keeps: exactly the bytes written
   * @param fresh whether the rest of the touched blocks is zero; else it stays what it is
   * @param parts the touched blocks as they are after the write; each with a pin that the overlay
   *     takes over. Empty in replay.
   */
  record OverlayWrite(
      long segment, long offset, List<ByteBuffer> bytes, boolean fresh, List<Overlay.Part> parts)
      implements Op {
    /** How many blocks the parts have. */
    public int blocks() {
      int blocks = 0;
      for (Overlay.Part part : parts) {
        blocks += part.blocks();
      }
      return blocks;
    }
  }

  /** The content blocks [from, to) of a segment are no longer unplaced. */
  record OverlayDrop(long segment, long from, long to) implements Op {}

  /** What is unplaced of one segment is unplaced content of another, which has none, as well. */
  record OverlayCopy(long from, long to) implements Op {}

  /**
   * A segment's content is what it was when the change was planned, which stands on that. Nothing
   * to apply; the log does not keep it.
   */
  record Unchanged(long segment) implements Op {}

  /** An extent becomes part of the state. */
  record Allocate(Extent extent) implements Op {}

  /** An extent is no longer part of the state. */
  record Free(Extent extent) implements Op {}
}
