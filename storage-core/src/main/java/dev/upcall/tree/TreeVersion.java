package dev.upcall.tree;

import org.jspecify.annotations.Nullable;

/**
 * A tree as it was at one moment, to be read only. No page of it changes any more; pages come and
 * go, so that each method may throw {@link PageMissing}. Any thread that was given it after it was
 * made, with an order between the two.
 *
 * @param root where it begins, or null for the empty tree
 */
public record TreeVersion(@Nullable PageRef root) {
  /** The value of a key at that moment, as a copy, or null. */
  public byte @Nullable [] get(byte[] key) {
    return Tree.get(root, key);
  }

  /** The first entry at or above a key at that moment, or null. */
  public Tree.@Nullable Entry ceiling(byte[] key) {
    return Tree.ceiling(root, key);
  }

  /** Entries from the first key at or above the given one, ascending. */
  public Cursor from(byte[] key) {
    return Cursor.from(root, key, null);
  }

  /** Entries below a key, descending. */
  public Cursor below(byte[] key) {
    return Cursor.below(root, key, null);
  }
}
