package dev.upcall.txn.state;

import dev.upcall.space.SnapshotBlocks;

/**
 * A named snapshot as the volume has it.
 *
 * @param name its name
 * @param record where it is
 * @param blocks what it holds
 */
public record StoredSnapshot(String name, SnapshotRecord record, SnapshotBlocks blocks) {}
