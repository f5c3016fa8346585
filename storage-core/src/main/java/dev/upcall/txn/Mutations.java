package dev.upcall.txn;

import dev.upcall.content.StagedContent;
import dev.upcall.segment.layout.Inode;

/** What a change wants done. Applied in the order of the calls. */
public interface Mutations {
  /** A new segment id, never used before. */
  long newSegmentId();

  /**
   * Puts an entry into a tree, but for those of inodes and of unplaced content, which have ways of
   * their own. Key at most 300 bytes, value at most 1,200.
   */
  void put(StoreTree tree, byte[] key, byte[] value);

  /** Removes an entry; harmless when it is absent. */
  void remove(StoreTree tree, byte[] key);

  /**
   * Makes or replaces an inode's metadata; its content (size and layout) must be as the view showed
   * it, or empty for a new one.
   */
  void putInode(Inode inode);

  /**
   * Makes or replaces an inode with new content: size and layout of {@code inode} are ignored, the
   * old content is freed.
   */
  void putInode(Inode inode, StagedContent content);

  /**
   * Makes or replaces an inode with the content that another segment has at this point of the
   * change: size and layout of {@code inode} are ignored, the old content is freed. Placed blocks
   * are shared, so this costs the same for every size; either side may be changed afterwards
   * without the other.
   *
   * @param source another segment than this one
   */
  void putClone(Inode inode, long source);

  /**
   * Removes a segment and frees its content (at once, or in the background when it is large). A
   * directory's entries must be gone or are reclaimed in the background.
   */
  void removeSegment(Inode inode);
}
