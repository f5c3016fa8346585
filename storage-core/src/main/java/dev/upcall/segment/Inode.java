package dev.upcall.segment;

import dev.upcall.content.Kind;
import java.util.SortedMap;

/**
 * A segment's metadata: an immutable value; a change makes a new one.
 *
 * @param id the segment's 64-bit id, never reused
 * @param kind what it is
 * @param links how many names lead to it
 * @param mode permission bits as the user gave them; kept, not enforced
 * @param owner user and group ids as the user gave them (uid in the low, gid in the high half);
 *     kept, not enforced
 * @param parent for a directory its parent's id (the root is its own parent), else 0
 * @param times when it was born and changed
 * @param size content bytes; 0 for a directory
 * @param version grows by one with every change of content or metadata
 * @param attributes the user's own, by name; small (see {@link #MAX_ATTRIBUTES_BYTES})
 * @param layout where the content lies
 */
public record Inode(
    long id,
    Kind kind,
    int links,
    int mode,
    long owner,
    long parent,
    Times times,
    long size,
    long version,
    SortedMap<String, byte[]> attributes,
    Layout layout) {

  /** The limit of all attribute names (UTF-8) and values together. */
  public static final int MAX_ATTRIBUTES_BYTES = 320;

  /**
   * Nanoseconds since 1970.
   *
   * @param createdNanos birth
   * @param modifiedNanos last change of content; may be set by the user
   * @param changedNanos last change of anything
   * @param expiresNanos from when on the segment counts as gone, or {@link #NEVER}
   */
  public record Times(long createdNanos, long modifiedNanos, long changedNanos, long expiresNanos) {
    /** The expiry of what stays until somebody deletes it. */
    public static final long NEVER = Long.MAX_VALUE;

    /** Times of what does not expire. */
    public Times(long createdNanos, long modifiedNanos, long changedNanos) {
      this(createdNanos, modifiedNanos, changedNanos, NEVER);
    }

    /** Whether it will be gone, or is. */
    public boolean hasExpiry() {
      return expiresNanos != NEVER;
    }
  }

  /** This inode with other content. */
  public Inode withContent(long newSize, Layout newLayout) {
    return new Inode(
        id, kind, links, mode, owner, parent, times, newSize, version, attributes, newLayout);
  }

  /** This inode under another id. */
  public Inode withId(long newId) {
    return new Inode(
        newId, kind, links, mode, owner, parent, times, size, version, attributes, layout);
  }

  /** This inode after a change of content at a moment: times and version move on. */
  public Inode touched(long nowNanos) {
    Times moved = new Times(times.createdNanos(), nowNanos, nowNanos, times.expiresNanos());
    return new Inode(
        id, kind, links, mode, owner, parent, moved, size, version + 1, attributes, layout);
  }
}
