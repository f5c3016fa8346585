package dev.upcall.segment.layout;

import dev.upcall.content.Kind;
import dev.upcall.content.Times;
import java.util.SortedMap;

/**
 * A segment's metadata: an immutable value; a change makes a new one.
 *
 * @param id the segment's 64-bit id, never reused
 * @param kind what it is
 * @param links how many names lead to it; 0 for the content of a table's value
 * @param mode permission bits as the user gave them; kept, not enforced
 * @param owner user and group ids as the user gave them (uid in the low, gid in the high half);
 *     kept, not enforced
 * @param parent for a directory its parent's id (the root is its own parent), for the content of a
 *     value, which is a file without a name, the table's, else 0
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

  /** This inode with other content. */
  public Inode withContent(long newSize, Layout newLayout) {
    return new Inode(
        id, kind, links, mode, owner, parent, times, newSize, version, attributes, newLayout);
  }

  /** This inode with other metadata of the user's. */
  public Inode withMetadata(int newMode, long newOwner, SortedMap<String, byte[]> newAttributes) {
    return new Inode(
        id, kind, links, newMode, newOwner, parent, times, size, version, newAttributes, layout);
  }

  /** This inode with so many names. */
  public Inode withLinks(int newLinks) {
    return new Inode(
        id, kind, newLinks, mode, owner, parent, times, size, version, attributes, layout);
  }

  /** This directory in another one. */
  public Inode withParent(long newParent) {
    return new Inode(
        id, kind, links, mode, owner, newParent, times, size, version, attributes, layout);
  }

  /** This inode with other times. */
  public Inode withTimes(Times newTimes) {
    return new Inode(
        id, kind, links, mode, owner, parent, newTimes, size, version, attributes, layout);
  }

  /** This inode as another version. */
  public Inode withVersion(long newVersion) {
    return new Inode(
        id, kind, links, mode, owner, parent, times, size, newVersion, attributes, layout);
  }

  /** This inode under another id. */
  public Inode withId(long newId) {
    return new Inode(
        newId, kind, links, mode, owner, parent, times, size, version, attributes, layout);
  }

  /** This inode with its content at other places: the version moves on. */
  public Inode moved() {
    return withVersion(version + 1);
  }

  /** This inode after a change of content at a moment: times and version move on. */
  public Inode touched(long nowNanos) {
    Times moved = new Times(times.createdNanos(), nowNanos, nowNanos, times.expiresNanos());
    return withTimes(moved).withVersion(version + 1);
  }
}
