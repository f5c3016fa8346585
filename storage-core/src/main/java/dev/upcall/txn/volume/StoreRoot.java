package dev.upcall.txn.volume;

import dev.upcall.base.Invariants;
import java.util.Arrays;

/**
 * The root of one of the store's trees as a superblock keeps it.
 *
 * @param treeId which tree
 * @param reference the encoded pointer to its root page, at most {@link #MAX_REFERENCE_BYTES};
 *     empty for an empty tree. Not copied; nobody may change it.
 */
public record StoreRoot(int treeId, byte[] reference) {
  /** The longest encoded pointer. */
  public static final int MAX_REFERENCE_BYTES = 56;

  /** Checks the length. */
  public StoreRoot {
    Invariants.check(
        reference.length <= MAX_REFERENCE_BYTES, "reference too long", reference.length);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StoreRoot root
        && root.treeId == treeId
        && Arrays.equals(root.reference, reference);
  }

  @Override
  public int hashCode() {
    return 31 * treeId + Arrays.hashCode(reference);
  }

  @Override
  public String toString() {
    return "StoreRoot[treeId=" + treeId + ", reference=" + Arrays.toString(reference) + "]";
  }
}
