package dev.upcall.txn;

import org.jspecify.annotations.Nullable;

/**
 * What a change has made of one entry of a tree. The arrays must not be changed.
 *
 * @param tree the tree: {@link StoreTree#NAMES} or {@link StoreTree#INODES}
 * @param key the entry's key
 * @param before its value before the change; null: it was not there
 * @param after its value since then; null: it is gone
 */
public record EntryChange(
    StoreTree tree, byte[] key, byte @Nullable [] before, byte @Nullable [] after) {}
