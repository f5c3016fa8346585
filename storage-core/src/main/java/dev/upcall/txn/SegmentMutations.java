package dev.upcall.txn;

import dev.upcall.segment.Overlay;
import dev.upcall.segment.layout.ExtentEntry;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.LayoutEditor;
import dev.upcall.segment.layout.MapFold;
import dev.upcall.segment.layout.Staged;
import dev.upcall.space.Extent;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * What the layers of storage-core itself may want done on top of {@link Mutations}: content by its
 * parts.
 */
public interface SegmentMutations extends Mutations {
  /** Sets an inode exactly as it is given, size and layout included. */
  void setInode(Inode inode);

  /**
   * Writes unplaced content.
   *
   * @param patches what the log keeps, each at its offset
   * @param parts the touched blocks as they are afterwards; the change takes their pins when it is
   *     applied
   */
  void write(long segment, List<Patch> patches, List<Overlay.Part> parts);

  /**
   * As {@link #write}, of a segment that gets smaller: for the few blocks that it needs the change
   * may use some of the space that is kept for deleting.
   */
  void cut(long segment, List<Patch> patches, List<Overlay.Part> parts);

  /** The content blocks [from, to) of a segment are no longer unplaced. */
  void drop(long segment, long from, long to);

  /** Blocks that were written become part of the state. */
  void allocate(Staged.NamedBlocks blocks);

  /**
   * Blocks of content get one more user, which this change makes. To be said before anything of
   * what they are used by now is given up.
   */
  void share(List<Extent> extents);

  /**
   * Says that the change stands on what a segment's content is, and changes nothing of it: a
   * transaction locks it as if it did.
   */
  void standsOn(long segment);

  /** Extents lose a user; what has no other is no longer part of the state. */
  void free(List<Extent> extents);

  /** What an edit took out of a segment's layout loses a user. */
  void free(LayoutEditor.Edited edited);

  /**
   * The same of a cut on a volume that is nearly full: what of a small layout others have in part
   * goes on as an orphan, to be counted and given back piece by piece.
   *
   * @param old the segment before the cut
   */
  void cutOut(Inode old, LayoutEditor.Edited edited);

  /**
   * What a folding of a map took out of its tree, used by nobody any more but those who share it.
   */
  void free(MapFold.Result folded);

  /** The tree with the pieces of an inode, if there is one, has one user less: this inode. */
  void leaveMap(Inode old);

  /** Whether a block has more than one user. May throw {@code PageMissing}. */
  boolean isShared(long block);

  /**
   * The first blocks of an extent, so many that freeing them takes few steps: all of it where
   * nothing is shared. May throw {@code PageMissing}.
   */
  Extent firstPiece(Extent extent);

  /**
   * Whether the change may use the space that is kept for deleting: it gives back more than it
   * takes.
   */
  void allowEmergencySpace();

  /** Runs in the upcall that applies the change, right after it. */
  void onApplied(Runnable upcall);

  /**
   * Bytes for the log.
   *
   * @param offset where in the content
   * @param bytes position to limit
   */
  record Patch(long offset, ByteBuffer bytes) {}

  /** The named blocks of an entry. */
  static Staged.NamedBlocks named(ExtentEntry entry) {
    return new Staged.NamedBlocks(entry.extent(), entry.checksums());
  }
}
